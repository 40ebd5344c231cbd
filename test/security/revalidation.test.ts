// Covers background revalidations that anonymous clients start, against the built service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'

const DAILY_LIMIT = 3
const REQUESTS = 40

let service: AttackedService
let pageRequests = 0
beforeAll(async () => {
  service = await startAttackedService(
    {
      '/': (_, response) => {
        pageRequests++
        response.setHeader('content-type', 'text/html').end(`<title>Version ${pageRequests}</title>`)
      },
    },
    [`--free-daily-limit=${DAILY_LIMIT}`, '--trust-proxy=1'],
  )
})
afterAll(() => service.stop())

it('revalidates an entry at most once a minute, however often staleTtl=0 is requested', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  const request = () => service.get({ url: service.site.url, staleTtl: '0' }, { headers })
  expect((await request()).headers.get('x-cache-status')).toBe('MISS')
  const staleTitles = async () => {
    const titles = []
    for (let count = 0; count < REQUESTS; count++) {
      const response = await request()
      expect(response.headers.get('x-cache-status')).toBe('STALE')
      titles.push(((await response.json()) as { data: { title: string } }).data.title)
    }
    return titles
  }
  // The first revalidation is there while the next ones are requested.
  await expect.poll(async () => (await staleTitles()).at(-1)).toBe('Version 2')
  expect(new Set(await staleTitles())).toEqual(new Set(['Version 2']))
  expect(pageRequests).toBe(2)
})
