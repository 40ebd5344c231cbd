// Covers the public names of the query module, and that its help texts and its table belong together.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorHelp, parameterHelp } from '../../src/query/help/index.js'
import * as query from '../../src/query/index.js'

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

  it('is what an editor shows for each parameter', () => {
    const source = readFileSync(join(import.meta.dirname, '../../src/query/fields.ts'), 'utf8')
    const shown = [...source.matchAll(/^ {2}\/\*\* (.*) \*\/\n {2}'?([\w.]+)'?:/gm)].map(([, doc, name]) => [name, doc])
    expect(Object.fromEntries(shown)).toEqual(parameterHelp)
  })
})
