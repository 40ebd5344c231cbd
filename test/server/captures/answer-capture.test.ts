import { describe, expect, it, vi } from 'vitest'
import { PageError } from '../../../src/query/index.js'
import { answerCapture, captureFailure } from '../../../src/server/captures/index.js'
import { decodeExtraction, decodeFailure, encodeRequest } from '../../../src/server/captures/messages.js'
import type { Extraction, Extractor } from '../../../src/server/results/index.js'
import { goodResult } from '../extraction-result.js'
import { requestScope } from '../request-scope.js'

const SECRET = 'a secret that fronts and workers share'
const EXTRACTION: Extraction = { result: goodResult, image: undefined, blocks: undefined, subjects: [], allowances: [] }

function startWorker() {
  const extract = vi.fn<Extractor['extract']>(async () => EXTRACTION)
  const answer = (changes: { headers?: Record<string, string>; body?: BodyInit } = {}, signal?: AbortSignal) => {
    const { headers, body } = encodeRequest(requestScope({ url: 'https://example.com/' }), { client: 'a' }, SECRET)
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { ...headers, ...changes.headers },
      body: changes.body ?? body,
      signal,
      duplex: 'half',
    }
    const request = new Request('http://worker/captures', init)
    return answerCapture(request, { extractor: { extract }, secret: SECRET }).catch((error: unknown) =>
      captureFailure(error),
    )
  }
  return { extract, answer }
}

it('responds with what it has extracted', async () => {
  const { answer, extract } = startWorker()
  const response = await answer()
  expect(response.status).toBe(200)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(response.headers.get('content-length')).toBe(String(bytes.byteLength))
  expect(decodeExtraction(bytes).extraction).toEqual(EXTRACTION)
  expect(extract.mock.lastCall![0]).toMatchObject({ query: { url: 'https://example.com/' }, timeoutMs: 28_000 })
})

describe('without the secret', () => {
  it.each(['', SECRET, 'Bearer', 'Bearer wrong', `Bearer ${SECRET}!`, `Bearer ${SECRET.slice(1)}`, `Basic ${SECRET}`])(
    'refuses everything with a sentence, before it reads the request: %s',
    async (authorization) => {
      const { answer, extract } = startWorker()
      const response = await answer({ headers: { authorization }, body: 'not even JSON' })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
      const text = await response.text()
      expect(text).toContain('--worker-secret-file')
      expect(text).not.toContain(SECRET)
      expect(extract).not.toHaveBeenCalled()
    },
  )
})

describe('what no front sends', () => {
  it.each<[string, BodyInit]>([
    ['no JSON', 'url=https://example.com/'],
    ['no query', '{"version":1,"timeoutMs":1}'],
    ['a query of another type', '{"version":1,"query":{"url":"https://example.com/"},"timeoutMs":1}'],
    ['a time of another type', '{"version":1,"query":"url=https://example.com/","timeoutMs":"1"}'],
    ['another version', '{"version":7,"query":"url=https://example.com/","timeoutMs":1}'],
    ['too much', 'x'.repeat(300_000)],
    ['an endless request', new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })],
  ])('is refused: %s', async (_, body) => {
    const { answer, extract } = startWorker()
    const response = await answer({ body })
    expect(response.status).toBe(400)
    expect(decodeFailure(Buffer.from(await response.text())).code).toBe('EFATAL')
    expect(extract).not.toHaveBeenCalled()
  })
})

it('says why a query is invalid', async () => {
  const { answer } = startWorker()
  const response = await answer({ body: '{"version":1,"query":"url=ftp://example.com","timeoutMs":1}' })
  expect(response.status).toBe(400)
  expect(decodeFailure(Buffer.from(await response.text()))).toMatchObject({ code: 'EINVALURL' })
})

it('ends the work when the front closes the connection', async () => {
  const { answer, extract } = startWorker()
  const front = new AbortController()
  extract.mockImplementationOnce(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const response = answer({}, front.signal)
  await vi.waitFor(() => expect(extract).toHaveBeenCalled())
  front.abort(new PageError('EABORTED', 'Gone.'))
  expect((await response).status).not.toBe(200)
})
