import { createScript } from './create-script.js'
import { tellFailure } from './tell-failure.js'
import { findScriptTag } from './script-tag.js'

declare const __VERSION__: string

const earlier = window.PagePreview
// Read at once: the tag is only known while the script runs for the first time.
const tag = findScriptTag()

if (!earlier || !('version' in earlier)) {
  const script = createScript(tag)
  window.PagePreview = script
  script.q.push(...(earlier?.q ?? []))
} else if (earlier.version !== __VERSION__) {
  tellFailure(`version ${earlier.version} is already on this page`)
}
