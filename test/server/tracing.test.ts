// Covers the spans of a request to the service, from its headers to the store.
import { SpanStatusCode } from '@opentelemetry/api'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createService, type Service } from '../../src/server/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { recordingLog, type LogLine } from '../shared/recording-log.js'
import { recordSpans, type RecordedSpan } from '../shared/record-spans.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const traceparent = `00-${TRACE}-${PARENT}-01`

let site: LocalSite
let service: Service
let lines: LogLine[]
let spans: RecordedSpan[]
let stop: () => void

beforeAll(async () => {
  ;({ spans, stop } = recordSpans())
  const recording = recordingLog()
  lines = recording.lines
  site = await localSite({ '/': '<title>A page</title>' })
  service = createService({ allowTargets: [site.host], warm: true, log: recording.log })
  await service.ready()
})
afterAll(async () => {
  await service.close()
  await site.close()
  stop()
})
beforeEach(() => void spans.splice(0))

const pageUrl = (query: Record<string, string> = {}) =>
  `http://previews.test/?${new URLSearchParams({ url: `${site.url}/?token=hush`, ...query })}`
const request = (url: string, headers: Record<string, string> = {}) => service.fetch(new Request(url, { headers }))

/** Names of the spans, each below its parent. */
function treeBelow(parentSpanId: string | undefined): Record<string, unknown> {
  const children = spans.filter((span) => span.parentSpanId === parentSpanId)
  return Object.fromEntries(children.map(({ name, spanId }) => [name, treeBelow(spanId)]))
}

describe('a request with a screenshot', () => {
  it('has nested spans below the one of its caller, which have ended and contain no URL', async () => {
    const response = await request(pageUrl({ screenshot: 'true' }), { traceparent })
    expect(response.status).toBe(200)
    expect(treeBelow(PARENT)).toEqual({
      request: {
        'store.read': {},
        'page.fetch': {},
        'queue.wait': {},
        capture: { 'image.encode': {} },
        'store.write': {},
      },
    })
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
    expect(spans.filter(({ hasEnded }) => !hasEnded)).toEqual([])
    expect(spans.find(({ name }) => name === 'request')!.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'page_preview.cache': 'MISS',
    })
    expect(spans.find(({ name }) => name === 'page.fetch')!.attributes).toEqual({ 'server.address': site.host })
    expect(JSON.stringify(spans)).not.toContain('hush')
  })

  it('has no span if its response comes from memory', async () => {
    await request(pageUrl())
    await request(pageUrl())
    spans.splice(0)
    const cached = service.cachedResponse({
      method: 'GET',
      url: pageUrl(),
      ifNoneMatch: undefined,
      forwardedFor: undefined,
    })
    expect(cached?.status).toBe(200)
    expect(spans).toEqual([])
  })
})

describe('a request that fails', () => {
  it('marks its spans with the code, and its line of the log with the trace', async () => {
    await request('http://previews.test/?url=http://10.0.0.1/')
    const [span] = spans
    expect(span).toMatchObject({
      name: 'request',
      parentSpanId: undefined,
      status: SpanStatusCode.UNSET,
      attributes: { 'http.response.status_code': 403, 'error.type': 'EFORBIDDENURL' },
    })
    expect(spans.find(({ name }) => name === 'page.fetch')).toMatchObject({
      status: SpanStatusCode.ERROR,
      attributes: { 'error.type': 'EFORBIDDENURL' },
    })
    expect(lines.at(-1)).toMatchObject({ event: 'request-failed', traceId: span!.traceId })
  })
})
