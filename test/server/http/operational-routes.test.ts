import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

let site: LocalSite
let service: Service
let broken: Service

const request = (path: string, to = service) => to.fetch(new Request(`http://previews.test${path}`))

beforeAll(async () => {
  site = await localSite({ '/': '<title>A page</title>' })
  service = createService({ allowTargets: [site.host] })
  broken = createService({ browser: '/bin/false' })
  await Promise.all([service.ready(), broken.ready()])
})

afterAll(async () => {
  await Promise.all([service.close(), broken.close()])
  await site.close()
})

describe('a service with a working browser', () => {
  it('is healthy and ready', async () => {
    expect(await (await request('/healthz')).json()).toEqual({ status: 'ok' })
    await expect.poll(async () => (await request('/readyz')).status, { timeout: 10_000 }).toBe(200)
    expect(await (await request('/readyz')).json()).toEqual({
      status: 'ready',
      browser: true,
      store: true,
      storeWritable: true,
      dependencies: {},
      chromium: {
        version: expect.stringMatching(/^\d+(\.\d+){3}$/),
        estimatedAgeDays: expect.any(Number),
        source: expect.stringMatching(/^(CHROMIUM_PATH|playwright|system|installed)$/),
      },
    })
  })

  it('reports its metrics in the text format of Prometheus', async () => {
    const page = `/?${new URLSearchParams({ url: `${site.url}/`, screenshot: 'true' })}`
    await request(page)
    await request(page)
    await request('/nowhere')
    const response = await request('/metrics')
    const lines = (await response.text()).split('\n')
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(lines).toEqual(
      expect.arrayContaining([
        'page_preview_requests_total{status="200",cache="MISS"} 1',
        'page_preview_requests_total{status="200",cache="HIT"} 1',
        'page_preview_requests_total{status="404",cache="none"} 1',
        'page_preview_captures_total 1',
        '# TYPE page_preview_captures_total counter',
        'page_preview_renderings_total 0',
        'page_preview_flights 0',
        'page_preview_queue 0',
        'page_preview_event_loop_blocks_total 0',
        'page_preview_store_writable 1',
        expect.stringMatching(/^page_preview_chromium_info\{version="\d+(\.\d+){3}",source="\w+"\} 1$/),
        'page_preview_chromium_updates_total{outcome="failed"} 0',
        expect.stringMatching(/^page_preview_chromium_milestone [1-9]\d+$/),
        expect.stringMatching(/^page_preview_chromium_estimated_age_days \d+$/),
        expect.stringMatching(/^page_preview_store_bytes [1-9]\d{3,}$/),
      ]),
    )
    // Each line is a comment or a sample: https://prometheus.io/docs/instrumenting/exposition_formats/
    const sample = /^(#.*|[a-zA-Z_:][\w:]*(\{.*\})? [-+\d.eNaInf]+)?$/
    expect(lines.filter((line) => !sample.test(line))).toEqual([])
  })
})

describe('a service whose browser does not start', () => {
  it('is healthy, but not ready', async () => {
    expect((await request('/healthz', broken)).status).toBe(200)
    const response = await request('/readyz', broken)
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'not ready', browser: false, store: true, storeWritable: true, dependencies: {} },
    ])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})
