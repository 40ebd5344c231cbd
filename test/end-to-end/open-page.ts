import type { Browser, HTTPRequest, Page } from 'puppeteer-core'

/** An open page, with everything that should not happen on it. */
export interface OpenPage {
  page: Page
  /** Errors of the page and of its console, and violations of its content security policy. */
  complaints: string[]
  /** URLs of the requests for previews so far, oldest first. */
  requests: URL[]
  /** The cumulative layout shift since the page was opened. */
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
    const requestUrl = new URL(request.url())
    if (requestUrl.searchParams.has('url')) requests.push(requestUrl)
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
