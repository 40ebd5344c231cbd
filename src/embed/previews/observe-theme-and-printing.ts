import { builtinMember } from '../builtin-member.js'
import type { PreviewContext } from './preview-context.js'

/** Dispatches `theme` when the page may have another theme, and renders all previews when it is about to be printed. */
export function observeThemeAndPrinting(context: PreviewContext): void {
  const { sharedOptions } = context
  let isScheduled = false
  const update = () => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      observeRoots()
      sharedOptions.dispatchEvent(new Event('theme'))
    })
  }
  const observer = new MutationObserver(update)
  const observeRoots = () => {
    // Some pages replace their body, and many insert styles into their head.
    observer.observe(builtinMember(document, 'documentElement'), { attributes: true, childList: true })
    observer.observe(builtinMember(document, 'body'), { attributes: true })
    observer.observe(builtinMember(document, 'head'), { childList: true })
  }
  observeRoots()
  observer.observe(document, { attributeFilter: ['data-theme', 'theme', 'class', 'style'], subtree: true })
  // Not on the window, which does not receive `load` of elements.
  builtinMember(document, 'documentElement').addEventListener(
    'load',
    ({ target }) => void (target instanceof HTMLLinkElement && update()),
    true,
  )
  // During the transition the colour is between the old one and the new one.
  addEventListener('transitionend', ({ propertyName }) => void (propertyName === 'background-color' && update()))
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update)
  addEventListener('beforeprint', () => {
    context.isPrinting = true
    sharedOptions.notifyChange()
    context.isPrinting = false
  })
}
