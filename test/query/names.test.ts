// Covers the public names of the query module, and that its help texts and its table belong together.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorHelp, parameterHelp } from '../../src/query/help/index.js'
import * as query from '../../src/query/index.js'
import { parsers } from '../../src/query/parameter-values.js'

const QUERY_FOLDER = join(import.meta.dirname, '../../src/query')

it('exports exactly its public names', () => {
  expect(Object.keys(query).toSorted()).toEqual([
    'PageError',
    'cacheKey',
    'errorCodes',
    'fields',
    'isPageError',
    'parseQuery',
    'requestUrl',
    'writeQuery',
  ])
})

describe('help', () => {
  it('has one sentence for every parameter, and for nothing else', () => {
    expect(Object.keys(parameterHelp).toSorted()).toEqual(Object.keys(query.fields).toSorted())
  })

  it('has one sentence for every code, and for nothing else', () => {
    expect(Object.keys(errorHelp).toSorted()).toEqual(Object.keys(query.errorCodes).toSorted())
  })

  it.each(Object.entries({ ...parameterHelp, ...errorHelp }))('describes %s in one sentence', (_, sentence) => {
    expect(sentence).toMatch(/^\S.*[^.]\.$/)
  })

  it('is what an editor shows for each parameter, with its default', () => {
    const rows = Object.entries(query.fields) as [query.ParameterName, query.Parameter][]
    const expected = rows.map(([name, row]): [string, unknown] => [name, [parameterHelp[name], row.default]])
    expect(shownByEditors()).toEqual(Object.fromEntries(expected))
  })
})

/** The first line and the `@default` of the docs of each parameter. */
function shownByEditors(): Record<string, unknown> {
  const sources = ['page-query.ts'].map((file) => readFileSync(join(QUERY_FOLDER, file), 'utf8'))
  const members = sources
    .join('\n')
    .matchAll(/interface (\w+)|^ {2}\/\*\*(?: |\n {3}\* )(.*?)(?: \*\/)?\n((?: {3}\*.*\n)*) {2}readonly (\w+)\??:/gm)
  const shown: Record<string, unknown> = {}
  let group = ''
  for (const [, owner, help, rest = '', member] of members) {
    if (owner) group = owner === 'PageQuery' ? '' : `${owner.replace('Options', '').toLowerCase()}.`
    const name = `${group}${member}` as query.ParameterName
    if (!member || !Object.hasOwn(query.fields, name)) continue
    const row: query.Parameter = query.fields[name]
    const [, written] = /@default '?([^'\n]*)/.exec(rest) ?? []
    shown[name] = [help, written === undefined ? undefined : parsers[row.type](written, row, name)]
  }
  return shown
}
