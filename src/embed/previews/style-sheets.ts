const HOST_STYLES =
  ':host{display:block;min-inline-size:0;max-inline-size:100%}:host([data-inline]){display:inline}:host([hidden]){display:none!important}'

/** The stylesheet that all shadow roots share. */
export const createShadowSheet = (styles: string): CSSStyleSheet => createSheet(HOST_STYLES + styles)

/** Constructed stylesheets are allowed by every content security policy. */
export function createSheet(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return sheet
}
