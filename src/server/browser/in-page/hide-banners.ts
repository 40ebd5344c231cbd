/**
 * Hides whatever matches the selectors, now and later, and anything else that resembles a consent banner: it stays in the
 * viewport, mentions cookies, and has a button to accept or decline. Re-enables scrolling that a banner had locked.
 *
 * It runs in the page, see `runInPage`: it is sent as text, so it may use its parameters and the page only.
 */
export function hideBanners(selectors: readonly string[]): void {
  const adopt = (text: string) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  const hasKnownBanner = document.querySelector(`:is(${selectors.join(',')})`) !== null
  // One rule per selector, so that an invalid selector does not affect the others.
  adopt(selectors.map((selector) => `${selector}{display:none!important}`).join(''))

  const CONSENT_TERMS = /cookie|consent|gdpr|dsgvo|traceurs|クッキー|쿠키/i
  const BUTTON_LABELS =
    /^(accept|agree|i agree|allow|ok|okay|got it|understood|i understand|continue|reject|decline|deny|alle |akzeptieren|annehmen|zustimmen|einverstanden|verstanden|ablehnen|accepter|j.accepte|refuser|tout |aceptar|acepto|rechazar|accett|rifiut|aceitar|accepteren|akkoord|weiger|godk|aksept|acceptér|hyväksy|zgadzam|akceptuj|同意|接受|동의|принять)/i
  const inViewport = new Set<HTMLElement>()
  for (const x of [0.05, 0.5, 0.95])
    for (const y of [0.03, 0.25, 0.5, 0.75, 0.97])
      for (const element of document.elementsFromPoint(innerWidth * x, innerHeight * y)) {
        const { position } = getComputedStyle(element)
        if (position === 'fixed' || position === 'sticky' || element.matches('dialog'))
          inViewport.add(element as HTMLElement)
      }
  const hide = (element: HTMLElement) => element.style.setProperty('display', 'none', 'important')
  const rootsOf = (element: HTMLElement) => (element.shadowRoot ? [element, element.shadowRoot] : [element])
  const isBanner = (element: HTMLElement) =>
    rootsOf(element).some((root) => {
      const text = ('innerText' in root ? root.innerText : undefined) ?? root.textContent ?? ''
      if (text.length > 4000 || !CONSENT_TERMS.test(text)) return false
      const buttons = [
        ...root.querySelectorAll<HTMLInputElement>('button,a,[role=button],input[type=button],input[type=submit]'),
      ]
      return buttons.some((button) => BUTTON_LABELS.test((button.value || (button.textContent ?? '')).trim()))
    })
  const banners = [...inViewport].filter(isBanner)
  banners.forEach(hide)
  if (!hasKnownBanner && !banners.length) return
  const isBackdrop = (element: HTMLElement) => {
    const { width, height } = element.getBoundingClientRect()
    const { backgroundColor, backdropFilter } = getComputedStyle(element)
    return (
      width >= innerWidth * 0.95 &&
      height >= innerHeight * 0.95 &&
      !element.textContent?.trim() &&
      !element.querySelector('img,svg,video,canvas,iframe') &&
      (/, 0?\.\d+\)$|\/ 0?\.\d+\)$/.test(backgroundColor) || backdropFilter !== 'none')
    )
  }
  for (const element of inViewport) if (!banners.includes(element) && isBackdrop(element)) hide(element)
  for (const element of [document.documentElement, document.body].filter(Boolean)) {
    const { overflowY, position } = getComputedStyle(element)
    if (overflowY === 'hidden') element.style.setProperty('overflow', 'visible', 'important')
    if (overflowY === 'hidden' && position === 'fixed') element.style.setProperty('position', 'static', 'important')
  }
}
