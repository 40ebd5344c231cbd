const HOST_STYLES =
  ':host{display:block;min-inline-size:0;max-inline-size:100%}:host([data-inline]){display:inline}:host([hidden]){display:none!important}'

/** One sheet for all shadow roots: the way to bring styles that a strict content security policy allows. */
export function sheetOf(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(HOST_STYLES + styles)
  return sheet
}
