// Covers `in-page/clock.ts` in pages of a real Chromium.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestScope } from '../request-scope.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const HOUR_MS = 3_600_000
/** Lists in its paragraphs what scripts of the page find out about its clock. */
const CHECKS = `
  const RealDate = performance.timeOrigin + performance.now()
  const ahead = (time) => Math.round((time - (performance.timeOrigin + performance.now())) / 60_000)
  class Later extends Date {}
  const second = { hour: '2-digit', minute: '2-digit', second: '2-digit', day: '2-digit', month: '2-digit', year: 'numeric', hourCycle: 'h23', timeZone: 'UTC' }
  const formatter = new Intl.DateTimeFormat('en-US', second)
  const timeOf = (text) => Date.parse(text.replace(', ', ' ') + ' UTC')
  const { format } = formatter
  const { Now } = Temporal
  const frame = document.querySelector('iframe').contentWindow
  const checks = {
    now: ahead(Date.now()),
    constructed: ahead(new Date().getTime()),
    subclass: ahead(new Later().getTime()) + ' ' + (new Later() instanceof Later),
    reflected: ahead(Reflect.construct(Date, []).getTime()),
    called: ahead(Date.parse(Date())) + ' ' + typeof Date(1),
    parsed: Date.parse('2020-01-01T00:00:00Z') + ' ' + Date.UTC(2020, 0, 1) + ' ' + new Date(5).getTime() + ' ' + new Date(2020, 0).getFullYear(),
    invalid: String(new Date(undefined)),
    shape: [Date.length, Date.name, typeof Date, Object.keys(Date).length, Date.now.name, Date.now.length].join(' '),
    same: [Date.prototype.constructor === Date, window.Date === Date, new Date() instanceof Date, Object.getPrototypeOf(new Date()) === Date.prototype].join(' '),
    written: [Function.prototype.toString.call(Date), String(Date.now)].every((text) => text.includes('[native code]')),
    descriptor: JSON.stringify(Object.getOwnPropertyDescriptor(window, 'Date')) + JSON.stringify(Object.getOwnPropertyDescriptor(Date, 'now')),
    formatted: [ahead(timeOf(formatter.format())), ahead(timeOf(formatter.format(undefined))), ahead(timeOf(format()))].join(' '),
    parts: ahead(timeOf(formatter.formatToParts().map(({ value }) => value).join(''))),
    ofValue: formatter.format(0) + ' ' + formatter.format(new Date(5_000)) + ' ' + formatter.formatToParts(0)[0].value,
    formatShape: [formatter.format === format, format.length, Intl.DateTimeFormat.prototype.formatToParts.name, JSON.stringify(Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')), String(Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format').get).includes('[native code]')].join(' '),
    instant: ahead(Now.instant().epochMilliseconds) + ' ' + ahead([1].map(Now.instant)[0].epochMilliseconds),
    zoned: ahead(Now.zonedDateTimeISO('Asia/Tokyo').epochMilliseconds) + ' ' + Now.zonedDateTimeISO('Asia/Tokyo').timeZoneId,
    plainTime: ahead(Now.plainDateTimeISO('UTC').toZonedDateTime('UTC').epochMilliseconds),
    plainDate: String(Now.plainDateISO('UTC').equals(Now.plainDateTimeISO('UTC').toPlainDate())),
    clockTime: String(Math.abs(Now.plainTimeISO('UTC').until(Now.plainDateTimeISO('UTC').toPlainTime()).total('minutes')) < 1),
    temporalShape: JSON.stringify(Object.getOwnPropertyDescriptor(Now, 'instant')) + Now.instant.name + Now.plainDateISO.length,
    frame: ahead(frame.Date.now()) + ' ' + (frame.Date !== Date),
    others: ahead(performance.timeOrigin + performance.now()),
  }
  document.body.innerHTML = Object.entries(checks).map(([name, value]) => '<p>' + name + ': ' + value + '</p>').join('')`

let test: TestBrowser
beforeAll(async () => {
  test = await startTestBrowser({
    '/': `<!doctype html><body><iframe src="/frame"></iframe><script>addEventListener('load', () => {${CHECKS}})</script>`,
    '/frame': '<!doctype html><p>Frame</p>',
  })
})
afterAll(() => test.close())

async function checksOf(clockAheadMs: number | undefined): Promise<Record<string, string>> {
  const query = { url: test.site.url, screenshot: true, history: 1 }
  const { blocks } = await test.browser.capture(requestScope(query, { clockAheadMs }))
  return Object.fromEntries(blocks!.map(({ text }) => text.split(': ') as [string, string]))
}

it('is ahead for all that the page reads of it, and nothing else differs', async () => {
  const [checks, usual] = [await checksOf(26 * HOUR_MS), await checksOf(undefined)]
  const minutes = String(26 * 60)
  expect(checks).toEqual({
    ...usual,
    now: minutes,
    constructed: minutes,
    subclass: `${minutes} true`,
    reflected: minutes,
    called: `${minutes} string`,
    formatted: `${minutes} ${minutes} ${minutes}`,
    parts: minutes,
    instant: `${minutes} ${minutes}`,
    zoned: `${minutes} Asia/Tokyo`,
    plainTime: minutes,
    frame: `${minutes} true`,
  })
  expect(usual).toMatchObject({ now: '0', frame: '0 true', invalid: 'Invalid Date', others: '0', written: 'true' })
  expect(usual['shape']).toBe('7 Date function 0 now 0')
  expect(usual['same']).toBe('true true true true')
})
