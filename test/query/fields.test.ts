// Covers src/query/fields.ts as the one table of the language: what follows from a row that is added to it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Parameter } from '../../src/query/index.js'

/** One of each kind. */
const samples = {
  rows: {
    sampleText: { type: 'text' },
    samplings: { type: 'text', subKey: 'integer' },
    sampleSwitch: { type: 'boolean', default: false },
    samples: { type: 'boolean', subKey: 'text', default: true },
  },
  screenshot: { 'screenshot.sampleDepth': { type: 'integer', min: 1, max: 9, default: 1 } },
  delivery: { sampleSpeed: { type: 'choice', values: ['slow', 'fast'], default: 'slow' } },
} as const satisfies Record<string, Readonly<Record<string, Parameter>>>

// A separate table, to which rows are added before the modules that read it are loaded.
vi.resetModules()
const { deliveryFields, fields, screenshotFields } = await import('../../src/query/fields.js')
Object.assign(screenshotFields, samples.screenshot)
Object.assign(deliveryFields, samples.delivery)
Object.assign(fields, samples.rows, samples.screenshot, samples.delivery)
const { cacheKey, parseQuery, writeQuery } = await import('../../src/query/index.js')
const help = await import('../../src/query/help/index.js')
const { readAttributes } = await import('../../src/card/index.js')
const { helpText, readArguments } = await import('../../src/command-line/index.js')
const { pageCommand } = await import('../../src/cli/run-cli.js')
const { parameterObject } = await import('../../src/server/http/openapi.js')
afterAll(() => vi.resetModules())

const url = 'https://example.com/'
const ADDED = [...Object.keys(samples.rows), 'screenshot.sampleDepth', 'sampleSpeed']
Object.assign(help.parameterHelp, Object.fromEntries(ADDED.map((name) => [name, 'A sample.'])))
const parse = (text: string) => parseQuery(`url=${encodeURIComponent(url)}&${text}`)
const attributes = (name: string, value = 'x') => readAttributes([{ name, value }])

describe('a row of the table is all that the language needs to', () => {
  it.each([
    ['sampleText=a', { sampleText: 'a' }],
    ['sample_text=a', { sampleText: 'a' }],
    ['sample-text=a', { sampleText: 'a' }],
    ['samplings.1=b&samplings.0=a', { samplings: ['a', 'b'] }],
    ['samplings=a', { samplings: 'a' }],
    ['sampleSwitch', { sampleSwitch: true }],
    ['sampleSwitch=false', {}],
    ['samples.my_own=false', { samples: { my_own: false } }],
    ['sampleSpeed=fast', { sampleSpeed: 'fast' }],
    ['sampleDepth=3', { screenshot: { sampleDepth: 3 } }],
    ['screenshot.sample-depth=3', { screenshot: { sampleDepth: 3 } }],
    ['sampleDepth=1', { screenshot: true }],
  ])('parse %s', (text, expected) => {
    expect(parse(text)).toMatchObject({ query: { url, ...expected }, warnings: [] })
    expect(parse(text).query).toEqual({ url, ...expected })
  })

  it.each([
    'sampleSwitch=2',
    'sampleDepth=10',
    'sampleSpeed=medium',
    'samples.audio=loud',
    'samplings=a&samplings.0=b',
  ])('refuse %s', (text) => {
    expect(() => parse(text)).toThrow(/^sampl|^screenshot\.sample/)
  })

  it('write the query, sorted and without defaults, so that it can be parsed again', () => {
    const { query } = parse(
      'sampleSpeed=fast&sampleDepth=2&samplings.0=b&samplings.1=a&sampleText=c&sampleSwitch=false',
    )
    const text = writeQuery(query)
    expect(text).toBe(
      `sampleSpeed=fast&sampleText=c&samplings.0=b&samplings.1=a&screenshot.sampleDepth=2&url=${encodeURIComponent(url)}`,
    )
    expect(parseQuery(text).query).toEqual(query)
  })

  it('make the cache key, which has no parameters of delivery', () => {
    expect(cacheKey({ url, sampleText: 'a' })).toContain('sampleText=a')
    expect(cacheKey({ url, sampleSpeed: 'fast' })).toBe(cacheKey({ url }))
  })

  it.each([
    ['sample-text', 'sampleText'],
    ['sampletext', 'sampleText'],
    ['samplings', 'samplings'],
    ['samplings-0', 'samplings.0'],
    ['samples-audio', 'samples.audio'],
    ['sample-depth', 'screenshot.sampleDepth'],
    ['screenshot-sample-depth', 'screenshot.sampleDepth'],
  ])('read the attribute %s', (attribute, name) => {
    expect(attributes(attribute)).toEqual({ [name]: 'x' })
  })

  it('read flags of the command line', () => {
    const args = ['--sample-switch', '--samples.audio', '--sample-depth', '3', '--samplings.0', 'a', url]
    expect(readArguments({ options: {}, parameters: 'all' }, args, {})).toMatchObject({
      parameters: [
        ['sample-switch', 'true'],
        ['samples.audio', 'true'],
        ['sample-depth', '3'],
        ['samplings.0', 'a'],
      ],
      operands: [url],
      mistakes: [],
    })
  })

  it('suggest its name for a misspelled one', () => {
    expect(['sampelText', 'sampleDeph'].map(help.nearestParameter)).toEqual(['sampleText', 'sampleDepth'])
  })

  it('list it in the help of the command', () => {
    const text = helpText(pageCommand())
    expect(ADDED.filter((name) => !text.includes(`--${name}`))).toEqual([])
    expect(text).toContain('--sampleSpeed=slow|fast')
  })

  it('describe its values in the OpenAPI document', () => {
    const schemas = (ADDED as Parameters<typeof parameterObject>).map((name) => parameterObject(name))
    expect(schemas).toMatchObject([
      { name: 'sampleText', schema: { type: 'string' } },
      {
        name: 'samplings',
        style: 'form',
        explode: true,
        schema: { anyOf: [{ type: 'string' }, { propertyNames: { pattern: '^samplings\\.\\d+$' } }] },
      },
      { name: 'sampleSwitch', schema: { type: 'boolean', default: false } },
      {
        name: 'samples',
        style: 'form',
        explode: true,
        schema: { anyOf: [{ type: 'boolean' }, { propertyNames: { pattern: '^samples\\..' } }] },
      },
      { name: 'screenshot.sampleDepth', schema: { type: 'integer', minimum: 1, maximum: 9, default: 1 } },
      { name: 'sampleSpeed', schema: { type: 'string', enum: ['slow', 'fast'], default: 'slow' } },
    ])
  })
})

it('CONTRIBUTING names the files of a new parameter, and no other list of the language', () => {
  const text = readFileSync(join(import.meta.dirname, '../../.github/CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = /## Add a parameter\n(.*?)\n## /s.exec(text) ?? []
  const files = [...section.matchAll(/`(src\/(?:query|card|embed)[\w./-]+)`/g)].map(([, file]) => file)
  expect(files).toEqual(['src/query/fields.ts', 'src/query/page-query.ts', 'src/query/help/parameter-help.ts'])
})
