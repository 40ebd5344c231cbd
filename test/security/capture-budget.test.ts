// Covers pages that use far more of the network or the memory than a capture needs, against the built service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const REQUESTS = 1_500
const MAX_REQUESTS = 1_000
/** What the page tries to use; a page may use 1 GB. */
const MEMORY_MB = 2_500

let service: AttackedService
let thirdPartyRequests = 0
beforeAll(async () => {
  service = await startAttackedService({
    '/flood': `<title>Flood</title><body>Flooding<script>
      for (let n = 0; n < ${REQUESTS}; n++) fetch('/other?' + n).catch(() => {})
    </script>`,
    '/other': (_, response) => {
      thirdPartyRequests++
      response.end('x')
    },
    '/memory': `<title>Memory</title><body>Filling<script>
      const buffers = []
      const fill = () => {
        buffers.push(new Uint8Array(50_000_000).fill(1))
        if (buffers.length * 50 < ${MEMORY_MB}) setTimeout(fill, 20)
      }
      fill()
    </script>`,
    '/after': '<title>After</title><body>Still captured',
  })
})
afterAll(() => service.stop())

interface CaptureBody {
  code?: string
  warnings?: string[]
}

const capture = async (path: string, parameters: Record<string, string> = {}) => {
  const response = await service.get({ url: `${service.site.url}${path}`, screenshot: 'true', ...parameters })
  return { status: response.status, body: (await response.json()) as CaptureBody }
}

it('takes a page offline that floods others with requests beyond its budget, and captures it', async () => {
  const report = await service.attack(`a page that sends ${REQUESTS} requests`, async () => {
    const { status, body } = await capture('/flood', { waitUntil: 'networkidle' })
    expect(status).toBe(200)
    expect(body.warnings).toContainEqual(expect.stringContaining('the network limit of a capture'))
  })
  console.log(`${thirdPartyRequests} requests have arrived`)
  expect(thirdPartyRequests).toBeLessThanOrEqual(MAX_REQUESTS)
  expectContained(report)
})

it('ends a page that fills the memory, and goes on to capture others', async () => {
  await service.attack(`a page that fills ${MEMORY_MB} MB`, async () => {
    const { status, body } = await capture('/memory', { waitForTimeout: '15s' })
    expect([status, body.code]).toEqual([422, 'ETOOLARGE'])
  })
  expect(service.log()).toContain('page-out-of-memory')
  expect((await capture('/after')).status).toBe(200)
})
