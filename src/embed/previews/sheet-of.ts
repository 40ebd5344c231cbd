const HOST_STYLES =
  ':host{display:block;min-inline-size:0;max-inline-size:100%}:host([data-inline]){display:inline}:host([hidden]){display:none!important}'

/** One sheet for all shadow roots. */
export const shadowSheet = (styles: string): CSSStyleSheet => sheetOf(HOST_STYLES + styles)

/** The way to bring styles that a strict content security policy allows. */
export function sheetOf(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return sheet
}
