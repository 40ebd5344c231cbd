// Covers src/query/fields.ts as the one table of the language: what follows from a row that is added to it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { readAttributes } from '../../src/card/index.js'
import { helpText } from '../../src/cli/help-text.js'
import { deliveryFields, fields, screenshotFields } from '../../src/query/fields.js'
import { cacheKey, parseQuery, writeQuery, type Parameter } from '../../src/query/index.js'
import { commandArguments, commandFlags, isParameterName, nearestParameter } from '../../src/query/help/index.js'
import { parameterObject } from '../../src/server/http/openapi/parameter-object.js'

/** One of each kind; the modules under test are loaded after they have been added. */
const { samples } = vi.hoisted(() => ({
  samples: {
    rows: {
      sampleText: { type: 'text' },
      sampleList: { type: 'list', subKey: 'integer' },
      sampleSwitch: { type: 'boolean', default: false },
      samples: { type: 'switches', subKey: 'text', default: true },
    },
    screenshot: { 'screenshot.sampleDepth': { type: 'integer', min: 1, max: 9, default: 1 } },
    delivery: { sampleSpeed: { type: 'choice', values: ['slow', 'fast'], default: 'slow' } },
  } as const satisfies Record<string, Readonly<Record<string, Parameter>>>,
}))
vi.mock(import('../../src/query/fields.js'), async (importOriginal) => {
  const original = await importOriginal()
  Object.assign(original.screenshotFields, samples.screenshot)
  Object.assign(original.deliveryFields, samples.delivery)
  Object.assign(original.fields, samples.rows, samples.screenshot, samples.delivery)
  return original
})

// Other tests may run with the same table.
afterAll(() => {
  for (const table of [fields, screenshotFields, deliveryFields])
    for (const name of ADDED) Reflect.deleteProperty(table, name)
  vi.resetModules()
})

const url = 'https://example.com/'
const ADDED = [...Object.keys(samples.rows), 'screenshot.sampleDepth', 'sampleSpeed']
const parse = (text: string) => parseQuery(`url=${encodeURIComponent(url)}&${text}`)
const attributes = (name: string, value = 'x') => readAttributes([{ name, value }])

describe('a row of the table is all that the language needs to', () => {
  it.each([
    ['sampleText=a', { sampleText: 'a' }],
    ['sample_text=a', { sampleText: 'a' }],
    ['sample-text=a', { sampleText: 'a' }],
    ['sample_list.1=b&sample_list.0=a', { sampleList: ['a', 'b'] }],
    ['sampleList=a', { sampleList: 'a' }],
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
    'sampleList=a&sampleList.0=b',
  ])('refuse %s', (text) => {
    expect(() => parse(text)).toThrow(/^sample|^screenshot\.sample/)
  })

  it('write the query, sorted and without defaults, so that it can be parsed again', () => {
    const { query } = parse(
      'sampleSpeed=fast&sampleDepth=2&sampleList.0=b&sampleList.1=a&sampleText=c&sampleSwitch=false',
    )
    const text = writeQuery(query)
    expect(text).toBe(
      `sampleList.0=b&sampleList.1=a&sampleSpeed=fast&sampleText=c&screenshot.sampleDepth=2&url=${encodeURIComponent(url)}`,
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
    ['sample-list', 'sampleList'],
    ['sample-list-0', 'sampleList.0'],
    ['samples-audio', 'samples.audio'],
    ['sample-depth', 'screenshot.sampleDepth'],
    ['screenshot-sample-depth', 'screenshot.sampleDepth'],
  ])('read the attribute %s', (attribute, name) => {
    expect(attributes(attribute)).toEqual({ [name]: 'x' })
  })

  it('read flags of the command line', () => {
    const args = ['--sample-switch', '--samples.audio', '--sample-depth', '3', '--sample-list.0', 'a', url]
    const { tokens } = parseArgs({
      args,
      options: commandFlags(args, {}),
      strict: false,
      allowPositionals: true,
      tokens: true,
    })
    expect(commandArguments(tokens, {}).map(({ name, value }) => [name, value])).toEqual([
      ['sample-switch', ''],
      ['samples.audio', ''],
      ['sample-depth', '3'],
      ['sample-list.0', 'a'],
      ['', url],
    ])
    expect(args.filter((arg) => arg.startsWith('--')).map((flag) => isParameterName(flag.slice(2)))).not.toContain(
      false,
    )
  })

  it('suggest its name for a misspelled one', () => {
    expect(['sampelText', 'sampleDeph'].map(nearestParameter)).toEqual(['sampleText', 'sampleDepth'])
  })

  it('list it in the help of the command', () => {
    const help = helpText('')
    expect(ADDED.filter((name) => !help.includes(`--${name}`))).toEqual([])
    expect(help).toContain('--sampleSpeed=slow|fast')
  })

  it('describe its values in the OpenAPI document', () => {
    const schemas = (ADDED as Parameters<typeof parameterObject>).map((name) => parameterObject(name))
    expect(schemas).toMatchObject([
      { name: 'sampleText', schema: { type: 'string' } },
      { name: 'sampleList', schema: { anyOf: [{ type: 'string' }, { type: 'array' }] } },
      { name: 'sampleSwitch', schema: { type: 'boolean', default: false } },
      { name: 'samples', style: 'deepObject' },
      { name: 'screenshot.sampleDepth', schema: { type: 'integer', minimum: 1, maximum: 9, default: 1 } },
      { name: 'sampleSpeed', schema: { type: 'string', enum: ['slow', 'fast'], default: 'slow' } },
    ])
  })
})

it('CONTRIBUTING names the files of a new parameter, and no other list of the language', () => {
  const text = readFileSync(join(import.meta.dirname, '../../.github/CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = /## Add a parameter\n(.*?)\n## /s.exec(text) ?? []
  const files = [...section.matchAll(/`(src\/(?:query|card|embed)[\w./-]+)`/g)].map(([, file]) => file)
  expect(files).toEqual(['src/query/fields.ts', 'src/query/page-query.ts', 'src/query/help/index.ts'])
})
