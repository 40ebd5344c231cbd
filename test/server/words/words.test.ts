// Covers every parameter, each with its effect in a running service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedUrl } from '../../../src/client/index.js'
import { fields, type ParameterName } from '../../../src/query/index.js'
import type { WordCase } from './word-case.js'
import { wordCases } from './word-cases.js'
import { overASocket, startWordService, type Pair, type Way, type WordService } from './word-service.js'

const EXPIRES = Math.floor(Date.now() / 1_000) + 3_600

let service: WordService
beforeAll(async () => void (service = await startWordService()))
afterAll(() => service.close())

const cases = Object.entries(wordCases) as [ParameterName, WordCase][]

/** Of the page that shows the effect of a word, for this word alone. */
const targetOf = ({ path }: WordCase, word: string) =>
  `${service.site.url}${path}${path.includes('?') ? '&' : '?'}case=${encodeURIComponent(word)}`

async function pairsOf(word: ParameterName, wordCase: WordCase): Promise<Pair[]> {
  const { name = word, values, with: more = {}, isSigned } = wordCase
  const url = targetOf(wordCase, word)
  if (isSigned) {
    const hosts = { pro: service.serving.pro }
    return [...new URL(await signedUrl({ url }, { hosts, key: service.key, expires: EXPIRES })).searchParams]
  }
  return [['url', url], ...Object.entries(more), ...(word === 'url' ? [] : [[name, values[0]] satisfies Pair])]
}

const askFor = (pairs: Pair[], { isSigned }: WordCase, by?: Way) =>
  service.ask(pairs, by, isSigned ? service.serving.pro : service.serving.free)

it('every word of the language has a case, and nothing else has', () => {
  expect(Object.keys(wordCases).toSorted()).toEqual(Object.keys(fields).toSorted())
})

describe.each([
  ['as a function', (url) => service.directly(url)],
  ['over a socket', overASocket],
] as [string, Way][])('%s', (_, by) => {
  it.each(cases)('%s has its effect', async (word, wordCase) => {
    const pairs = await pairsOf(word, wordCase)
    if (wordCase.isSecond) await askFor(pairs.slice(0, -1), wordCase, by)
    await wordCase.effect(await askFor(pairs, wordCase, by))
  })

  it.each(cases.flatMap(([word, wordCase]) => wordCase.refused.map((value) => [word, value, wordCase] as const)))(
    '%s is refused as %j',
    async (word, value, wordCase) => {
      const { name = word, code = 'EINVALQUERY', with: more } = wordCase
      const words = word === 'url' ? { url: value } : { url: targetOf(wordCase, word), ...more, [name]: value }
      const { status, failure } = await service.ask(words, by)
      expect([status, failure]).toEqual([
        400,
        {
          status: 'fail',
          code,
          message: expect.stringMatching(/\.$/),
          more: expect.stringMatching(new RegExp(`#${code}$`)),
          data: { [name]: expect.any(String) },
        },
      ])
    },
  )
})

/** All other names of a word. */
function spellingsOf(name: string): string[] {
  const fold = (text: string, join: string) => text.replace(/(?<=[a-z])[A-Z]/g, (hump) => join + hump.toLowerCase())
  const nested = /^(element|overlay\.)/.test(name) ? [`screenshot.${name}`] : []
  const flat = name.startsWith('screenshot.') ? [name.slice('screenshot.'.length)] : []
  const camel = [name, ...nested, ...flat]
  const headers = name.startsWith('headers.') ? ['headers.X-Probe', 'headers.x_probe', 'headers.xProbe'] : []
  const all = [...camel, ...['_', '-'].flatMap((join) => camel.map((text) => fold(text, join))), ...headers]
  return [...new Set(all)].filter((spelling) => spelling !== name)
}

describe('spellings', () => {
  const spelled = cases.flatMap(([word, wordCase]) =>
    spellingsOf(wordCase.name ?? word).map((spelling) => [spelling, word, wordCase] as const),
  )
  it.each(spelled)('%s is %s: the very same answer', async (spelling, word, wordCase) => {
    const { name = word } = wordCase
    const pairs = await pairsOf(word, wordCase)
    const usual = await askFor(pairs, wordCase)
    const respelled = pairs.map(([written, value]): Pair => [written === name ? spelling : written, value])
    const other = await askFor(respelled, wordCase)
    expect(other.status).toBe(usual.status)
    expect(other.header('x-timestamp')).toBe(usual.header('x-timestamp'))
    expect(String(other.bytes)).toBe(String(usual.bytes))
  })
})

describe('a word twice', () => {
  it.each(cases)('%s with different values is refused', async (word, wordCase) => {
    const { name = word, values, with: more = {} } = wordCase
    const url = targetOf(wordCase, word)
    const [first, second] = word === 'url' ? [url, `${url}&other`] : values
    const words: Pair[] = [...(word === 'url' ? [] : [['url', url] satisfies Pair]), ...Object.entries(more)]
    const { status, failure } = await service.ask([...words, [name, first], [name, second]])
    expect([status, failure]).toMatchObject([400, { code: 'EINVALQUERY', data: { [name]: expect.any(String) } }])
  })

  it.each(cases.filter(([, { isSecond }]) => !isSecond))(
    '%s with the same value is that value',
    async (word, wordCase) => {
      const pairs = await pairsOf(word, wordCase)
      const again = pairs.filter(([written]) => written === (wordCase.name ?? word))
      await wordCase.effect(await askFor([...pairs, ...again], wordCase))
    },
  )
})
