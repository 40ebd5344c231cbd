import styles from './card-places.css?inline'

/** Keeps the places of previews free until they can be shown, so that nothing on the page moves when they come. */
export function reservePlaces(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
}
