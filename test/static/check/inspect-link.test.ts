import { expect, it } from 'vitest'
import { errorCodes, PageError, type ErrorCode, type PageState } from '../../../src/query/index.js'
import { describeState } from '../../../src/server/page-state/index.js'
import { classifyError, classifyPage, leadsHome } from '../../../src/static/check/inspect-link.js'

it.each<[number, PageState | undefined, string]>([
  [200, undefined, 'works'],
  [206, undefined, 'works'],
  [404, undefined, 'absent'],
  [410, 'error-page', 'absent'],
  [400, undefined, 'absent'],
  [200, 'error-page', 'absent'],
  [500, 'error-page', 'unreachable'],
  [503, undefined, 'unreachable'],
  [401, undefined, 'unclear'],
  [403, 'bot-check', 'unclear'],
  [403, 'error-page', 'unclear'],
  [429, undefined, 'unclear'],
  [200, 'bot-check', 'unclear'],
  [200, 'login', 'unclear'],
  [200, 'consent', 'unclear'],
  [200, 'blank', 'unclear'],
])('judges HTTP %i with the state %s: %s', (statusCode, state, outcome) => {
  const result = classifyPage({ statusCode, data: state ? { state } : {} })
  expect(result).toMatchObject({ outcome, statusCode })
  expect(result.reason === undefined).toBe(outcome === 'works')
})

it('takes errors of the page that may pass for unreachable, others for unclear', () => {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => classifyError(new PageError(code, 'It failed.')).outcome === 'unreachable',
  )
  expect(codes).toEqual(['EINVALURL', 'EUNREACHABLE', 'EMAXREDIRECTS', 'ETIMEOUT'])
  const error = new PageError('EUNREACHABLE', 'x', { data: { url: 'the connection was refused' } })
  expect(classifyError(error).reason).toBe('It cannot be read: the connection was refused.')
})

it.each([
  ['https://a.example/post/1', 'https://a.example/', true],
  ['https://a.example/post/1', 'https://www.a.example/index.html', true],
  ['https://a.example/post/1', 'https://a.example/en/', true],
  ['https://a.example/post/1', 'https://a.example/pt-br', true],
  ['https://a.example/post/1', 'https://a.example/zh_CN/', true],
  ['https://a.example/post/1', 'https://a.example/tv', false],
  ['https://blog.a.example/post', 'https://a.example/', true],
  ['https://a.example/?p=1', 'https://a.example/', true],
  ['https://a.example/', 'https://a.example/en/', false],
  ['https://a.example/en', 'https://a.example/', false],
  ['https://a.example/post/1', 'https://a.example/post/1-title', false],
  ['https://a.example/post/1', 'https://a.example/?p=1', false],
  ['https://short.example/x1', 'https://a.example/', false],
  ['https://a.example/home', 'https://a.example/', false],
  ['https://a.example/post', 'https://a.example/enterprise', false],
])('from %s to %s: %s', (from, to, expected) => {
  expect(leadsHome(from, to)).toBe(expected)
})

it.each(['bot-check', 'consent', 'login'] as const)('names the state %s as the service does', (state) => {
  const reason = classifyPage({ statusCode: 200, data: { state } }).reason!
  expect(`It ${describeState(state)}.`).toBe(reason.replace(/\.$/, ' instead of its content.'))
})
