import type { Browser, Page } from 'puppeteer-core'

export interface OpenApp {
  page: Page
  /** Console messages, uncaught errors, failed requests and violations of the content security policy. */
  complaints: string[]
  /** URLs of everything that was loaded, the page first. */
  loaded: string[]
}

declare global {
  interface Window {
    layoutShift: number
  }
}

/** Opens the page of an app in a new browser context, with empty caches. */
export async function openApp(browser: Browser, url: string, { javascript = true } = {}): Promise<OpenApp> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setJavaScriptEnabled(javascript)
  await page.setViewport({ width: 420, height: 800 })
  const complaints: string[] = []
  const loaded: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`))
  page.on('response', (response) => loaded.push(response.url()))
  await page.evaluateOnNewDocument(observePage)
  await page.goto(url)
  return { page, complaints, loaded }
}

function observePage() {
  window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) window.layoutShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(`forbidden by ${violatedDirective}: ${blockedURI}`),
  )
}
