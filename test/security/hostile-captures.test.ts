// Covers captures of the largest pages and of noise, which no format compresses, against the built service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'
import { waitForIdleChildren, watchNodeChildren } from './child-processes.js'

type Form = Record<string, string>

/** As many as the service captures at the same time, and one that waits. */
const CONCURRENT_CAPTURES = 3
/** Of all image processes together: two encoders at most, each with a limit of 1.5 GB. */
const MAX_IMAGE_PROCESS_BYTES = 3_000_000_000

/** The noise is repeated, because drawing all of it would exceed the memory of the page before it is captured. */
const noisePage = (
  width: number,
  height: number,
) => `<title>Noise</title><body style="margin:0"><div id="noise" style="width:${width}px;height:${height}px"></div><script>
  const canvas = Object.assign(document.createElement('canvas'), { width: 1000, height: 1000 })
  const context = canvas.getContext('2d')
  const image = context.createImageData(1000, 1000)
  for (let start = 0; start < image.data.length; start += 50_000) crypto.getRandomValues(image.data.subarray(start, start + 50_000))
  for (let alpha = 3; alpha < image.data.length; alpha += 4) image.data[alpha] = 255
  context.putImageData(image, 0, 0)
  noise.style.background = 'url(' + canvas.toDataURL() + ')'
</script>`

const TALL = { 'viewport.width': '2000', 'viewport.height': '1000', 'viewport.deviceScaleFactor': '1' }
const WIDE = { ...TALL, 'viewport.width': '8000' }
const WINDOW = { 'viewport.width': '7900', 'viewport.height': '5000', 'viewport.deviceScaleFactor': '1' }
const FULL_PAGE = { 'screenshot.fullPage': 'true' }
const imageOf = (type: string) => ({ 'screenshot.type': type, 'screenshot.quality': '100' })
const [PNG, JPEG, WEBP, AVIF] = [imageOf('png'), imageOf('jpg'), imageOf('webp'), imageOf('avif')] as const
const OVERLAY = { 'overlay.browser': 'dark', 'overlay.background': 'linear-gradient(45deg, red, blue)' }

const FORMS: readonly (readonly [name: string, path: string, query: Form])[] = [
  ['a page of 8,000 × 18,000 pixels as JPEG', '/wide', { ...WIDE, ...FULL_PAGE, ...JPEG }],
  ['an element of 8,000 × 18,000 pixels as PNG', '/wide', { ...WIDE, element: '#noise', ...PNG }],
  ['a page of 2,000 × 31,000 pixels as PNG', '/tall', { ...TALL, ...FULL_PAGE, ...PNG }],
  ['a page of 2,000 × 31,000 pixels as WebP', '/tall', { ...TALL, ...FULL_PAGE, ...WEBP }],
  ['a page of 2,000 × 31,000 pixels as AVIF', '/tall', { ...TALL, ...FULL_PAGE, ...AVIF }],
  ['a page of 2,000 × 31,000 pixels with an overlay', '/tall', { ...TALL, ...FULL_PAGE, ...PNG, ...OVERLAY }],
  ['a viewport of 7,900 × 5,000 pixels as JPEG', '/wide', { ...WINDOW, ...JPEG }],
]

const ROUTES = {
  '/wide': noisePage(8_000, 18_000),
  '/tall': noisePage(2_000, 31_000),
  '/after': '<title>After</title>Still captured',
}

let service: AttackedService
/** Of the same attacker, because half of the captures may be of one host. */
let otherSite: LocalSite
beforeAll(async () => {
  otherSite = await localSite(ROUTES)
  service = await startAttackedService(ROUTES, [`--allow-target=${otherSite.host}`])
})
afterAll(async () => {
  await service.stop()
  await otherSite.close()
})

const capture = async (query: Form, signal?: AbortSignal) => {
  const response = await service.get(
    { screenshot: 'true', meta: 'false', timeout: '15s', ...query },
    { signal: signal ?? null },
  )
  const text = await response.text()
  return { status: response.status, text }
}

it.each(FORMS)('captures %s beside others', async (name, path, query) => {
  const children = watchNodeChildren(service.pid)
  const outcomes: string[] = []
  const report = await service.attack(name, async (signal) => {
    const captures = Array.from({ length: CONCURRENT_CAPTURES }, (_, n) =>
      capture({ url: `${(n % 2 ? otherSite : service.site).url}${path}?n=${n}`, ...query }, signal),
    )
    for (const { status, text } of await Promise.all(captures)) {
      outcomes.push(`${status}${status === 200 ? '' : ` ${(JSON.parse(text) as { message: string }).message}`}`)
      // It may fail, in time and with the reason.
      expect([200, 422, 503, 504], text).toContain(status)
    }
    // Once its capture has ended, an encoder must not compute any longer.
    await waitForIdleChildren(service.pid)
  })
  const { maxRssBytes } = children.stop()
  console.log(
    `${name}: ${outcomes.join(', ')}; service ${Math.round(report.maxRssBytes / 1e6)} MB, image processes ${Math.round(maxRssBytes / 1e6)} MB`,
  )
  expect(maxRssBytes).toBeLessThan(MAX_IMAGE_PROCESS_BYTES)
  expectContained(report)
})

it('goes on to capture others', async () => {
  const { status, text } = await capture({ url: `${service.site.url}/after` })
  expect(status, text).toBe(200)
})
