import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'

// An adopted style sheet is no element, so neither the page's policy nor its structure is in its way.
const ADOPT = `(text) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}`
const LINK = `(href) => new Promise((resolve) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  link.onload = () => resolve(true)
  link.onerror = () => resolve(false)
  document.head.append(link)
})`

/**
 * Adds CSS text, or a style sheet by its URL, which the page loads like its own: through the browser's proxy.
 *
 * @returns  Whether it is there.
 */
export async function addStyle(
  page: OpenPage,
  frame: MainFrame,
  style: string,
  { patienceMs, signal }: { patienceMs: () => number; signal: AbortSignal },
): Promise<boolean> {
  const isUrl = /^https?:\/\/\S+$/i.test(style.trim())
  let isAdded: boolean | undefined
  const adding = (
    isUrl ? runInPage<boolean>(page, LINK, style.trim()) : runInPage(page, ADOPT, style).then(() => true)
  ).then(
    (result) => (isAdded = result),
    () => (isAdded = false),
  )
  await frame.until(() => isAdded !== undefined, { timeoutMs: Math.max(patienceMs(), 100), signal })
  return isAdded === undefined ? false : adding
}
