import styles from './reserved-card-space.css?inline'

/** Reserves the space of previews until they are mounted, so that nothing on the page shifts. */
export function reserveSpace(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  const sheets: CSSStyleSheet[] = Reflect.get(Document.prototype, 'adoptedStyleSheets', document)
  sheets.push(sheet)
}
