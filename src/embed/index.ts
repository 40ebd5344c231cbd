import { createScript } from './create-script.js'
import { logStartFailure } from './log-start-failure.js'
import { findScriptTag } from './script-tag.js'

declare const __VERSION__: string

// At once, because `document.currentScript` is set only while the script runs for the first time.
const tag = findScriptTag()
const existing = window.PagePreview

if (existing && 'version' in existing) {
  if (existing.version !== __VERSION__) logStartFailure(`version ${existing.version} is already on this page`)
} else {
  const script = createScript(tag)
  window.PagePreview = script
  script.q.push(...(existing?.q ?? []))
}
