import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'
import { atMost } from './wait-for-condition.js'

// An adopted style sheet is not an element, so it neither depends on the page's policy nor changes its structure.
const ADOPT_SHEET = `(text) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}`
const LINK_SHEET = `(href) => new Promise((resolve) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  link.onload = () => resolve(true)
  link.onerror = () => resolve(false)
  document.head.append(link)
})`
const MIN_TIMEOUT_MS = 100

/**
 * Adds CSS text, or a style sheet by its URL, which the page loads like its own: through the browser's proxy.
 *
 * @returns  Whether the style sheet has been applied in time.
 */
export async function injectStyle(
  page: OpenPage,
  frame: MainFrame,
  style: string,
  { remainingWaitMs, signal }: { remainingWaitMs: () => number; signal: AbortSignal },
): Promise<boolean> {
  let isApplied: boolean | undefined
  applyStyle(page, style).then(
    (result) => (isApplied = result),
    () => (isApplied = false),
  )
  const minimumMs = atMost(MIN_TIMEOUT_MS, () => Infinity)
  const remainingMs = () => Math.max(remainingWaitMs(), minimumMs())
  await frame.waitUntil(() => isApplied !== undefined, { remainingMs, signal })
  return isApplied ?? false
}

async function applyStyle(page: OpenPage, style: string): Promise<boolean> {
  const isUrl = /^https?:\/\/\S+$/i.test(style.trim())
  if (isUrl) return runInPage<boolean>(page, LINK_SHEET, style.trim())
  await runInPage(page, ADOPT_SHEET, style)
  return true
}
