import { builtinMember } from '../builtin-member.js'
import type { PreviewContext } from './preview-context.js'

/** Renders all previews again when the page changes its theme, or is about to be printed. */
export function observePage(context: PreviewContext): void {
  const { pageOptions } = context
  const observeBody = () => themeObserver.observe(builtinMember(document, 'body'), { attributes: true })
  const update = () => {
    // Some pages replace their body.
    observeBody()
    pageOptions.notifyChange()
  }
  const themeObserver = new MutationObserver(update)
  themeObserver.observe(document, { attributeFilter: ['data-theme'], subtree: true })
  themeObserver.observe(builtinMember(document, 'documentElement'), { attributes: true, childList: true })
  observeBody()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update)
  addEventListener('beforeprint', () => {
    context.isPrinting = true
    update()
    context.isPrinting = false
  })
}
