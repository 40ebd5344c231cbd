import type { Browser, Page } from 'puppeteer-core'

export interface OpenApp {
  page: Page
  /** Console messages, uncaught errors, failed requests and violations of the content security policy. */
  complaints: string[]
  /** URLs of everything that was loaded, the page first. */
  loaded: string[]
}

interface LayoutShift extends PerformanceEntry {
  value: number
  /** What has moved, at most five parts; `null` for what is no longer in the page. */
  sources: { node: Node | null }[]
}

declare global {
  interface Window {
    layoutShift: number
    layoutShifts: LayoutShift[]
  }
}

export interface OpenAppOptions {
  /** Default `true`. */
  javascript?: boolean
  /** Of the window, in CSS pixels. Default 420. */
  width?: number
  /** Of the system. Default `light`. */
  colorScheme?: 'light' | 'dark'
}

/** Opens the page of an app in a new browser context, with empty caches. */
export async function openApp(
  browser: Browser,
  url: string,
  { javascript = true, width = 420, colorScheme = 'light' }: OpenAppOptions = {},
): Promise<OpenApp> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setJavaScriptEnabled(javascript)
  await page.setViewport({ width, height: 800 })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colorScheme }])
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
  window.layoutShifts = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[]) {
      window.layoutShift += entry.value
      window.layoutShifts.push(entry)
    }
  }).observe({ type: 'layout-shift', buffered: true })
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(`forbidden by ${violatedDirective}: ${blockedURI}`),
  )
}
