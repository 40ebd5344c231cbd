import styles from '../react/styles.css?inline'

const HOST_STYLES = ':host{display:block}:host([layout=inline]){display:inline}'

/** Gives a shadow root the styles of the previews, in the way that a strict content security policy allows. */
export function adoptStyles(root: ShadowRoot): void {
  if ('adoptedStyleSheets' in root && 'replaceSync' in CSSStyleSheet.prototype) {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(HOST_STYLES + styles)
    root.adoptedStyleSheets = [sheet]
    return
  }
  const style = document.createElement('style')
  style.textContent = HOST_STYLES + styles
  root.append(style)
}
