import type { Settings } from '../asking/index.js'

/** Tells all previews when the page changes its theme, or is printed. */
export function watchPage(settings: Settings): void {
  const watchBody = () => themes.observe(document.body, { attributes: true })
  const tell = () => {
    // It may be another one.
    watchBody()
    settings.tellChange()
  }
  const themes = new MutationObserver(tell)
  themes.observe(document, { attributeFilter: ['data-theme'], subtree: true })
  themes.observe(document.documentElement, { attributes: true, childList: true })
  watchBody()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell)
  addEventListener('beforeprint', () => {
    settings.isPrinted = true
    tell()
    settings.isPrinted = false
  })
}
