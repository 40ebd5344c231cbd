// Covers what the frames and workers of a page can read; `emulation.test.ts` covers the values.
import { afterEach, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../../local-site.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const REPORT = `
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const report = [navigator.languages.join(), locale, timeZone, navigator.userAgent].join(' | ')
`
const frame = `<!doctype html><script>${REPORT} fetch('/seen?' + encodeURIComponent(report))</script>`
const worker = `${REPORT} fetch('/seen?' + encodeURIComponent(report))`

let test: TestBrowser
let other: LocalSite
afterEach(async () => {
  await test.close()
  await other.close()
})

const reportsOf = ({ requests }: LocalSite) =>
  requests
    .filter((request) => request.startsWith('GET /seen?'))
    .map((request) => decodeURIComponent(request.slice('GET /seen?'.length)))

it('applies language, time zone and device to workers and to frames of other sites too', async () => {
  other = await localSite({ '/frame': frame, '/seen': '' }, 0, '127.0.0.2')
  test = await startTestBrowser(
    {
      '/': `${frame}<iframe src="${other.url}/frame"></iframe><script>new Worker('/worker.js')</script>`,
      '/worker.js': (_, response) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(worker),
      '/seen': '',
    },
    { allowTargets: [other.host] },
  )
  const query = { locale: 'pt-BR', timezone: 'Asia/Tokyo', device: 'iPhone 6', waitUntil: 'networkidle' }
  await test.capture('/', query)
  const expected = expect.stringMatching(/^pt-BR,pt \| pt-BR \| Asia\/Tokyo \| Mozilla\/5\.0 \(iPhone;/)
  expect(reportsOf(test.site)).toEqual([expected, expected])
  expect(reportsOf(other)).toEqual([expected])
})
