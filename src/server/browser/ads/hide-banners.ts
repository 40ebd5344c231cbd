import type { OpenPage } from '../open-page.js'
import { runInPage } from '../run-in-page.js'

/**
 * Hides what the selectors say, now and later, and what looks like a banner: something that stays in view, speaks of cookies, and
 * has a button to agree with. A page that was locked under its banner can be scrolled again.
 */
const HIDE = `(selectors) => {
  const adopt = (text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  const isKnown = document.querySelector(':is(' + selectors.join(',') + ')') !== null
  // A rule each, so that one that cannot be read spoils no other.
  adopt(selectors.map((selector) => selector + '{display:none!important}').join(''))

  const SPEAKS_OF = /cookie|consent|gdpr|dsgvo|traceurs|クッキー|쿠키/i
  const AGREE = /^(accept|agree|i agree|allow|ok|okay|got it|understood|i understand|continue|reject|decline|deny|alle |akzeptieren|annehmen|zustimmen|einverstanden|verstanden|ablehnen|accepter|j.accepte|refuser|tout |aceptar|acepto|rechazar|accett|rifiut|aceitar|accepteren|akkoord|weiger|godk|aksept|accept\\u00e9r|hyv\\u00e4ksy|zgadzam|akceptuj|同意|接受|동의|принять)/i
  const inView = new Set()
  for (const x of [0.05, 0.5, 0.95])
    for (const y of [0.03, 0.25, 0.5, 0.75, 0.97])
      for (const element of document.elementsFromPoint(innerWidth * x, innerHeight * y)) {
        const { position } = getComputedStyle(element)
        if (position === 'fixed' || position === 'sticky' || element.matches('dialog')) inView.add(element)
      }
  const hide = (element) => element.style.setProperty('display', 'none', 'important')
  const rootsOf = (element) => element.shadowRoot ? [element, element.shadowRoot] : [element]
  const isBanner = (element) => rootsOf(element).some((root) => {
    const text = root.innerText ?? root.textContent
    if (text.length > 4000 || !SPEAKS_OF.test(text)) return false
    const buttons = [...root.querySelectorAll('button,a,[role=button],input[type=button],input[type=submit]')]
    return buttons.some((button) => AGREE.test((button.value || button.textContent).trim()))
  })
  const banners = [...inView].filter(isBanner)
  banners.forEach(hide)
  if (!isKnown && !banners.length) return
  const isVeil = (element) => {
    const { width, height } = element.getBoundingClientRect()
    const { backgroundColor, backdropFilter } = getComputedStyle(element)
    return width >= innerWidth * 0.95 && height >= innerHeight * 0.95 && !element.textContent.trim() &&
      !element.querySelector('img,svg,video,canvas,iframe') &&
      (/, 0?\\.\\d+\\)$|\\/ 0?\\.\\d+\\)$/.test(backgroundColor) || backdropFilter !== 'none')
  }
  for (const element of inView) if (!banners.includes(element) && isVeil(element)) hide(element)
  for (const element of [document.documentElement, document.body].filter(Boolean)) {
    const { overflowY, position } = getComputedStyle(element)
    if (overflowY === 'hidden') element.style.setProperty('overflow', 'visible', 'important')
    if (overflowY === 'hidden' && position === 'fixed') element.style.setProperty('position', 'static', 'important')
  }
}`

/** @see HIDE */
export async function hideBanners(page: OpenPage, selectors: readonly string[]): Promise<void> {
  await runInPage(page, HIDE, selectors)
}
