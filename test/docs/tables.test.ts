// Covers the tables, links and sizes of README.md and stories/docs: each is compared with its source, both ways.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { optionFlag, optionVariable } from '../../src/command-line/index.js'
import { optionRows } from '../../src/command-line/options.js'
import { parameterHelp, queryLimits } from '../../src/query/help/index.js'
import { errorCodes, fields, parseQuery, type Parameter, type ParameterName } from '../../src/query/index.js'
import * as react from '../../src/react/index.js'
import { captureLimits } from '../../src/server/budget/index.js'
import { countedWork, uncountedCases } from '../../src/server/budget/daily-limit.js'
import { serveOptions } from '../../src/server/serve-options.js'
import { freezeCommand } from '../../src/static/commands/freeze.js'
import { storeDrills } from '../drills/store-drills.js'
import { compileModules } from './compile-blocks.js'
import { readDocs, root, type Row } from './read-docs.js'

const pages = readDocs()
const pageAt = (path: string) => pages.find((page) => page.path === path)!
const tableOf = (path: string, firstHead: string): Row[] =>
  pageAt(path).tables.find(({ head }) => head[0] === firstHead)!.rows
const byName = (rows: readonly Row[]) => rows.toSorted(([a = ''], [b = '']) => a.localeCompare(b))
const firstColumn = (rows: readonly Row[]) => rows.map(([cell]) => cell!)

it('describes every parameter with its values, its default and its help sentence', () => {
  const expected = (Object.keys(fields) as ParameterName[]).map((name) => [
    name,
    valueOf(name),
    defaultOf(name),
    parameterHelp[name],
  ])
  expect(byName(tableOf('stories/docs/parameters.mdx', 'parameter'))).toEqual(byName(expected))
})

it('describes every option of serve with its variable and its default', () => {
  const documented = tableOf('stories/docs/hosting/options.mdx', 'option').map((row) => row.slice(0, 3))
  const expected = Object.entries(serveOptions).map(([name, option]) => [
    optionFlag(name),
    optionVariable(name),
    'default' in option ? String(option.default) : 'placeholder' in option ? '' : 'false',
  ])
  expect(byName(documented)).toEqual(byName(expected))
})

it('describes every flag of freeze as its help does', () => {
  expect(tableOf('stories/docs/static-sites.mdx', 'flag')).toEqual(optionRows(freezeCommand.options))
})

it('says for all work whether and when it is charged, and its free share', () => {
  const expected = [
    ...Object.entries(countedWork).map(([work, { freeShare, when }]) => [
      work,
      '1',
      `${freeShare * 100} %`,
      when.replaceAll('`', ''),
    ]),
    ...Object.entries(uncountedCases).map(([work, when]) => [work, '0', '', when.replaceAll('`', '')]),
  ]
  expect(tableOf('stories/docs/hosting/queues-and-limits.mdx', 'work')).toEqual(expected)
})

it('states the limits of a query, which apply', () => {
  expect(tableOf('stories/docs/parameters.mdx', 'limit')).toEqual([
    ['parameters', queryLimits.parameters.toLocaleString('en')],
    ['characters of a name', queryLimits.nameChars.toLocaleString('en')],
    ['characters of a value', queryLimits.valueChars.toLocaleString('en')],
    ['characters of the host', queryLimits.hostChars.toLocaleString('en')],
  ])
  const { parameters, nameChars, valueChars, hostChars } = queryLimits
  const accepts = (query: Record<string, string>) => {
    try {
      return Boolean(parseQuery({ url: 'https://example.com', ...query }))
    } catch {
      return false
    }
  }
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 'a']))
  // `url` is a parameter too.
  expect([parameters - 1, parameters].map((count) => accepts(named(count)))).toEqual([true, false])
  expect([nameChars, nameChars + 1].map((length) => accepts({ ['a'.repeat(length)]: 'a' }))).toEqual([true, false])
  expect([valueChars, valueChars + 1].map((length) => accepts({ element: 'a'.repeat(length) }))).toEqual([true, false])
  expect([hostChars, hostChars + 1].map((length) => accepts({ url: `https://${'a'.repeat(length)}` }))).toEqual([
    true,
    false,
  ])
})

it('lists the drills as they are run', () => {
  const drills = readFileSync(join(root, 'test/drills/drills.test.ts'), 'utf8')
  const [before, after] = drills
    .split('...storeDrills(')
    .map((part) => [...part.matchAll(/^ {4}name: '(.+)',$/gm)].map(([, name]) => name!))
  const awayMs = Number(/^const AWAY_MS = (\d+)_000$/m.exec(drills)?.[1]) * 1_000
  const names = [...before!, ...storeDrills(expect.unreachable, awayMs).map(({ name }) => name), ...after!]
  expect(names.length).toBeGreaterThan(5)
  const rows = tableOf('stories/docs/hosting/outages.mdx', 'drill')
  expect(firstColumn(rows)).toEqual(names)
  // Every drill ran behind both.
  expect(rows.flatMap((row) => row.slice(1)).filter((cell) => !/^\d+$/.test(cell))).toEqual([])
})

it('lists everything that a capture may use', () => {
  const expected = Object.entries(captureLimits).map(([name, value]) => [name, value.toLocaleString('en')])
  expect(tableOf('stories/docs/hosting/queues-and-limits.mdx', 'limit').map((row) => row.slice(0, 2))).toEqual(expected)
})

it('has a section for every error code, in the order of the source', () => {
  expect(pageAt('stories/docs/errors.mdx').headings.slice(1)).toEqual(Object.keys(errorCodes))
})

it('lists every component and hook that is exported', () => {
  const listed = firstColumn(tableOf('stories/docs/react.mdx', 'export')).flatMap((cell) => cell.split(', '))
  expect(listed.toSorted()).toEqual(Object.keys(react).toSorted())
})

it('lists exactly the members of the types that it describes', { timeout: 120_000 }, () => {
  const record = (names: readonly string[], type: string, from: string) =>
    `import type { ${/\b[A-Z]\w+(?=>|')?/.exec(type.replace(/^(keyof |Exclude<keyof )/, ''))![0]} } from '${from}'
     export const documented: Record<${type}, true> = { ${names.map((name) => `${name}: true`).join(', ')} }`
  const functions = firstColumn(tableOf('stories/docs/script-tag.mdx', 'function')).map((call) => call.split('(')[0]!)
  const modules = [
    {
      name: 'options of the proxy',
      code: record(
        firstColumn(tableOf('stories/docs/proxy.mdx', 'option')),
        'keyof ProxyOptions',
        'page-preview/proxy',
      ),
    },
    {
      name: 'functions of the script',
      code: record(functions, `Exclude<keyof PreviewScript, 'version' | 'q'>`, 'page-preview/element'),
    },
  ]
  expect(compileModules(modules)).toEqual([])
})

it('states for every dependency what it replaces', () => {
  const names = ['package.json', 'src/server/package.json']
    .map((path) => join(root, path))
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const { dependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as { dependencies?: object }
      return Object.keys(dependencies)
    })
    .filter((name) => name !== 'page-preview')
  const [, list = ''] = pageAt('src/README.md').text.split('## Dependencies')
  const documented = [...list.matchAll(/^- (.+?):/gm)].flatMap(([, entry]) =>
    [...entry!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  )
  expect(documented.toSorted()).toEqual([...new Set(names)].toSorted())
})

describe('links', () => {
  const links = pages.flatMap(({ path, links }) => links.map((link): [string, string] => [path, link]))

  it.each(links.filter(([, link]) => !/^https?:/.test(link)))('of %s lead somewhere: %s', (path, link) => {
    const [file = '', anchor] = link.split('#')
    const target = file ? join(dirname(path), file) : path
    expect(existsSync(join(root, target)), target).toBe(true)
    if (anchor) expect(pageAt(target).headings.map(slugOf)).toContain(anchor)
  })

  it('lead from the README to every page, in one step or two', () => {
    const targetsOf = (path: string) =>
      pageAt(path)
        .links.map((link) => join(dirname(path), link.split('#')[0]!))
        .filter((target) => target.endsWith('.mdx'))
    const reached = targetsOf('README.md').flatMap((path) => [path, ...targetsOf(path)])
    const unreached = pages.filter(({ path }) => path.endsWith('.mdx') && !reached.includes(path))
    expect(unreached.map(({ path }) => path)).toEqual([])
  })
})

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s+/g, '-')

function valueOf(name: ParameterName): string {
  const { type, min, max, values, subKey, default: value }: Parameter = fields[name]
  const range = min === undefined || max === undefined ? '' : rangeOf(type, min, max)
  switch (type) {
    case 'url':
      return 'http(s) URL'
    case 'header':
      return 'text per header'
    case 'boolean':
      return subKey ? 'boolean, or per field' : 'boolean'
    case 'embed':
      return 'true, a path, html'
    case 'paths':
      return 'comma list'
    case 'text':
      return subKey ? 'text, one or several' : 'text'
    case 'choice':
      return values!.join(' ')
    case 'duration':
      return value === false ? `false or ${range}` : range
    default:
      return range || type
  }
}

function rangeOf(type: string, min: number, max: number): string {
  if (type === 'duration') return `${durationOf(min)}–${durationOf(max)}`
  return max >= 1e10 ? 'number' : `${min}–${max}`
}

function durationOf(ms: number): string {
  if (ms % 86_400_000 === 0 && ms) return ms === 86_400_000 ? '24h' : `${ms / 86_400_000}d`
  if (ms % 60_000 === 0 && ms) return `${ms / 60_000}m`
  if (ms % 1_000 === 0 && ms) return `${ms / 1_000}s`
  return `${ms}ms`
}

function defaultOf(name: ParameterName): string {
  const field = fields[name]
  if (!('default' in field) || field.default === undefined) return ''
  return field.type === 'duration' && typeof field.default === 'number'
    ? durationOf(field.default)
    : String(field.default)
}
