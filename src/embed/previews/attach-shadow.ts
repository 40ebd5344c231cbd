/** The shadow root of an element, which keeps the styles of the page out and those of the preview in. */
export function attachShadow(element: HTMLElement, sheet: CSSStyleSheet): ShadowRoot {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [sheet]
  return shadow
}
