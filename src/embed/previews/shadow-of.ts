/** The shadow root in which an element shows what is rendered; styles of the page stay out of it, and its own inside. */
export function shadowOf(element: HTMLElement, sheet: CSSStyleSheet): ShadowRoot {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [sheet]
  return shadow
}
