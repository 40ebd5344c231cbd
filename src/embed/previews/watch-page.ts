import type { Settings } from '../asking/index.js'

/** Tells all previews when the page changes its theme, or is about to be printed. */
export function watchPage(settings: Settings): void {
  const tell = () => settings.tellChange()
  const themes = new MutationObserver(tell)
  themes.observe(document, { attributeFilter: ['data-theme'], subtree: true })
  for (const switched of [document.documentElement, document.body])
    themes.observe(switched, { attributeFilter: ['class', 'style'] })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell)
  addEventListener('beforeprint', () => {
    settings.isPrinted = true
    tell()
  })
}
