// Covers every parameter, each with its effect in a running service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedUrl } from '../../../src/client/index.js'
import { fields, type ParameterName } from '../../../src/query/index.js'
import { isSlowRun, slowCases } from '../../shared/slow-cases.js'
import type { ParameterCase } from './parameter-case.js'
import { parameterCases } from './parameter-cases.js'
import {
  overSocket,
  startParameterService,
  type Pair,
  type Transport,
  type ParameterService,
} from './parameter-service.js'

const EXPIRES = Math.floor(Date.now() / 1_000) + 3_600

let service: ParameterService
beforeAll(async () => void (service = await startParameterService()))
afterAll(() => service.close())

const cases = Object.entries(parameterCases) as [ParameterName, ParameterCase][]

/** The URL of the page that shows the effect of a parameter, distinct for each parameter so that no cache entry is shared. */
const targetOf = ({ path }: ParameterCase, parameter: string) =>
  `${service.site.url}${path}${path.includes('?') ? '&' : '?'}case=${encodeURIComponent(parameter)}`

async function pairsOf(parameter: ParameterName, parameterCase: ParameterCase): Promise<Pair[]> {
  const { name = parameter, values, with: more = {}, isSigned } = parameterCase
  const url = targetOf(parameterCase, parameter)
  if (isSigned) {
    const endpoint = { pro: service.server.pro }
    return [...new URL(await signedUrl({ url }, { endpoint, apiKey: service.key, expires: EXPIRES })).searchParams]
  }
  return [['url', url], ...Object.entries(more), ...(parameter === 'url' ? [] : [[name, values[0]] satisfies Pair])]
}

const requestCase = (pairs: Pair[], { isSigned }: ParameterCase, transport?: Transport) =>
  service.request(pairs, transport, isSigned ? service.server.pro : service.server.free)

it('has a case for every parameter of the query language, and for nothing else', () => {
  expect(Object.keys(parameterCases).toSorted()).toEqual(Object.keys(fields).toSorted())
})

describe.each([['as a function', (url) => service.inProcess(url)], ...slowCases(['over a socket', overSocket])] as [
  string,
  Transport,
][])('%s', (_, transport) => {
  it.each(cases)('%s has its effect', async (parameter, parameterCase) => {
    const pairs = await pairsOf(parameter, parameterCase)
    if (parameterCase.isSecond) await requestCase(pairs.slice(0, -1), parameterCase, transport)
    await parameterCase.effect(await requestCase(pairs, parameterCase, transport))
  })

  it.each(
    cases.flatMap(([parameter, parameterCase]) =>
      parameterCase.invalidValues.map((value) => [parameter, value, parameterCase] as const),
    ),
  )('%s rejects %j', async (parameter, value, parameterCase) => {
    const { name = parameter, code = 'EINVALQUERY', with: more } = parameterCase
    const parameters =
      parameter === 'url' ? { url: value } : { url: targetOf(parameterCase, parameter), ...more, [name]: value }
    const { status, error } = await service.request(parameters, transport)
    expect([status, error]).toEqual([
      400,
      {
        status: 'fail',
        code,
        message: expect.stringMatching(/\.$/),
        more: expect.stringMatching(new RegExp(`#${code}$`)),
        data: { [name]: expect.any(String) },
      },
    ])
  })
})

/** All other spellings of a parameter's name. */
function spellingsOf(name: string): string[] {
  const fold = (text: string, join: string) =>
    text.replace(/(?<=[a-z])[A-Z]/g, (capital) => join + capital.toLowerCase())
  const nested = /^(element|history|overlay\.)/.test(name) ? [`screenshot.${name}`] : []
  const flat = name.startsWith('screenshot.') ? [name.slice('screenshot.'.length)] : []
  const camel = [name, ...nested, ...flat]
  const headers = name.startsWith('headers.') ? ['headers.X-Probe', 'headers.x_probe', 'headers.xProbe'] : []
  const all = [...camel, ...['_', '-'].flatMap((join) => camel.map((text) => fold(text, join))), ...headers]
  return [...new Set(all)].filter((spelling) => spelling !== name)
}

describe('spellings', () => {
  const spelled = cases.flatMap(([parameter, parameterCase]) =>
    spellingsOf(parameterCase.name ?? parameter)
      .slice(0, isSlowRun ? undefined : 1)
      .map((spelling) => [spelling, parameter, parameterCase] as const),
  )
  it.each(spelled)('%s means %s: the response is the same', async (spelling, parameter, parameterCase) => {
    const { name = parameter } = parameterCase
    const pairs = await pairsOf(parameter, parameterCase)
    const usual = await requestCase(pairs, parameterCase)
    const respelled = pairs.map(([written, value]): Pair => [written === name ? spelling : written, value])
    const other = await requestCase(respelled, parameterCase)
    expect(other.status).toBe(usual.status)
    expect(other.header('x-timestamp')).toBe(usual.header('x-timestamp'))
    expect(String(other.bytes)).toBe(String(usual.bytes))
  })
})

describe('a parameter written twice', () => {
  it.each(cases)('%s with different values is rejected', async (parameter, parameterCase) => {
    const { name = parameter, values, with: more = {} } = parameterCase
    const url = targetOf(parameterCase, parameter)
    const [first, second] = parameter === 'url' ? [url, `${url}&other`] : values
    const parameters: Pair[] = [...(parameter === 'url' ? [] : [['url', url] satisfies Pair]), ...Object.entries(more)]
    const { status, error } = await service.request([...parameters, [name, first], [name, second]])
    expect([status, error]).toMatchObject([400, { code: 'EINVALQUERY', data: { [name]: expect.any(String) } }])
  })

  it.each(cases.filter(([, { isSecond }]) => !isSecond))(
    '%s with the same value has that value',
    async (parameter, parameterCase) => {
      const pairs = await pairsOf(parameter, parameterCase)
      const again = pairs.filter(([written]) => written === (parameterCase.name ?? parameter))
      await parameterCase.effect(await requestCase([...pairs, ...again], parameterCase))
    },
  )
})
