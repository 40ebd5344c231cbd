// Covers `warnings.ts` without a DOM, through the components that use it.
// @vitest-environment node
import { afterEach, beforeEach, expect, it, vi, type MockInstance } from 'vitest'
import { PagePreview } from '../../src/react/index.server.js'
import { fakeService, TARGET } from './fake-service.js'

let warn: MockInstance<typeof console.warn>
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})
const warnings = () => warn.mock.calls.map(([text]) => String(text))
const refused = (code: 'EFORBIDDENURL' | 'EMAXREDIRECTS') => fakeService({ error: { status: 403, code } }).fetch

it('names an invalid parameter with its value', async () => {
  await PagePreview({ url: TARGET, endpoint: 'https://one.test', ttl: '99d' })
  expect(warnings()).toEqual([expect.stringMatching(/^page-preview: <PagePreview>: ttl=\{"99d"\}: .*\(EINVALTTL\)/)])
})

it('names the component, and what to do about the error of the service', async () => {
  const endpoint = 'https://two.test'
  await PagePreview({ url: 'http://127.0.0.1:5173/', endpoint, server: { fetch: refused('EFORBIDDENURL') } })
  expect(warnings()).toEqual([expect.stringMatching(/^page-preview: <PagePreview>: .*--allow-target 127.0.0.1:5173/)])
})

it('names unknown options of a parameter', async () => {
  const viewport = { hieght: 320 } as object
  await PagePreview({
    url: TARGET,
    endpoint: 'https://three.test',
    query: { viewport },
    server: { fetch: fakeService({}).fetch },
  })
  expect(warnings()).toEqual([expect.stringContaining('"viewport.hieght" was ignored; did you mean viewport.height?')])
})

it('names a layout that there is not', async () => {
  const layout = 'crad' as 'card'
  await PagePreview({ url: TARGET, endpoint: 'https://six.test', layout, server: { fetch: fakeService({}).fetch } })
  expect(warnings()).toEqual([expect.stringContaining('<PagePreview>: Unknown layout "crad"')])
})

it('says nothing of a page that cannot be reached', async () => {
  await PagePreview({ url: TARGET, endpoint: 'https://four.test', server: { fetch: refused('EMAXREDIRECTS') } })
  expect(warnings()).toEqual([])
})

it.each<[string, Parameters<typeof PagePreview>[0], RegExp]>([
  [
    'address of the service',
    { url: TARGET, endpoint: '/warned' },
    /relative endpoint \/warned.*`server={{ fetch: proxy.fetch }}`.*endpoint: /,
  ],
  [
    'key',
    { url: TARGET, endpoint: 'https://seven.test', server: { apiKey: '' } },
    /`server.apiKey` is empty.*environment/,
  ],
])('names the missing %s', async (_, props, expected) => {
  await PagePreview(props)
  expect(warnings()).toEqual([expect.stringMatching(expected)])
})

it('says nothing in production', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  await PagePreview({ url: TARGET, endpoint: 'https://five.test', ttl: '99d' })
  expect(warnings()).toEqual([])
})
