import { pagePreviewElement } from './page-preview-element.js'
import { previewScript, type PreviewScript, type QueuedCall } from './preview-script.js'
import { scriptHosts } from './script-hosts.js'
import { ScriptSettings } from './script-settings.js'

declare global {
  interface Window {
    /** The script, or before it is there a stub with a queue of calls. */
    PagePreview?: PreviewScript | { q: QueuedCall[] }
  }
}

// Read at once, for the tag is only known while the script runs for the first time.
const hosts = scriptHosts(document)

if (!customElements.get('page-preview')) {
  const settings = new ScriptSettings(hosts ? { hosts } : {})
  const queued = window.PagePreview?.q
  const script = previewScript(settings)
  window.PagePreview = script
  if (Array.isArray(queued)) script.q.push(...queued)
  customElements.define('page-preview', pagePreviewElement(settings))
  script.scan()
  // Links that stand below the script are parsed later.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => script.scan())
}
