// Covers `warnings.ts` without a DOM, through the components that use it.
// @vitest-environment node
import { afterEach, beforeEach, expect, it, vi, type MockInstance } from 'vitest'
import { LivePagePreview, PagePreview } from '../../src/react/rsc/index.js'
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
  await LivePagePreview({ url: 'http://127.0.0.1:5173/', endpoint, fetch: refused('EFORBIDDENURL') })
  expect(warnings()).toEqual([
    expect.stringMatching(/^page-preview: <LivePagePreview>: .*--allow-target 127.0.0.1:5173/),
  ])
})

it('names unknown options of a parameter', async () => {
  const viewport = { hieght: 320 } as object
  await PagePreview({ url: TARGET, endpoint: 'https://three.test', query: { viewport }, fetch: fakeService({}).fetch })
  expect(warnings()).toEqual([expect.stringContaining('"viewport.hieght" was ignored; did you mean viewport.height?')])
})

it('names a layout that there is not', async () => {
  const layout = 'crad' as 'card'
  await PagePreview({ url: TARGET, endpoint: 'https://six.test', layout, fetch: fakeService({}).fetch })
  expect(warnings()).toEqual([expect.stringContaining('<PagePreview>: Unknown layout "crad"')])
})

it('says nothing of a page that cannot be reached', async () => {
  await PagePreview({ url: TARGET, endpoint: 'https://four.test', fetch: refused('EMAXREDIRECTS') })
  expect(warnings()).toEqual([])
})

it('says nothing in production', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  await PagePreview({ url: TARGET, endpoint: 'https://five.test', ttl: '99d' })
  expect(warnings()).toEqual([])
})
