import type { Browser, HTTPRequest, Page } from 'puppeteer-core'

/** An open page, with all that a person would complain of. */
export interface OpenPage {
  page: Page
  /** Errors of the page and of its console, and violations of its content security policy. */
  complaints: string[]
  /** What was asked of the service's previews so far, oldest first. */
  requests: URL[]
  /** How much has moved by itself since the start. */
  layoutShift: () => Promise<number>
}

/** Opens a page that counts its layout shifts and violations from the start. */
export async function openPage(browser: Browser, url: string, { width = 1280, height = 800 } = {}): Promise<OpenPage> {
  const page = await browser.newPage()
  await page.setViewport({ width, height })
  const complaints: string[] = []
  const requests: URL[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('request', (request: HTTPRequest) => {
    const asked = new URL(request.url())
    if (asked.searchParams.has('url')) requests.push(asked)
  })
  await page.exposeFunction('complain', (text: string) => complaints.push(text))
  await page.evaluateOnNewDocument(() => {
    const shifts: { value: number }[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) =>
      shifts.push(...(list.getEntries() as (PerformanceEntry & { value: number })[])),
    ).observe({
      type: 'layout-shift',
      buffered: true,
    })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      Reflect.get(window, 'complain')(`${violatedDirective}: ${blockedURI}`),
    )
  })
  await page.goto(url)
  return {
    page,
    complaints,
    requests,
    layoutShift: () =>
      page.evaluate(() =>
        Reflect.get(window, 'shifts').reduce((sum: number, { value }: { value: number }) => sum + value, 0),
      ),
  }
}
