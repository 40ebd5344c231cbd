/** The shadow root in which an element shows what is rendered; styles of the page stay out of it, and its own inside. */
export function shadowOf(element: HTMLElement, sheet: CSSStyleSheet): ShadowRoot {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [sheet]
  return shadow
}

/** Gives the link that is shown the focus of the one that no longer is. */
export const focusCard = ({ shadowRoot }: Element): void =>
  shadowRoot?.querySelector('a')?.focus({ preventScroll: true })
