import { createScript } from './loader.js'
import { findScriptTag, logStartFailure } from './script-tag.js'

declare const __VERSION__: string

// At once, because `document.currentScript` is set only while the script runs for the first time.
const tag = findScriptTag()
const { PagePreview } = window
// Not an element or a frame of the page with this name.
const existing = Object.getPrototypeOf(PagePreview ?? 0) === Object.prototype ? PagePreview : undefined

if (existing && 'version' in existing) {
  if (existing.version !== __VERSION__) logStartFailure(`version ${existing.version} is already on this page`)
} else {
  const script = createScript(tag)
  window.PagePreview = script
  script.q.push(...(existing?.q ?? []))
}
