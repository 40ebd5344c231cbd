/** Whether a document shows previews without `styles.css`. */
export function lacksStylesheet(document: Document): boolean {
  // Only an element with a box: hidden ones, and those of environments without layout, say nothing of the styles.
  const root = [...document.querySelectorAll('.page-preview')].find((element) => element.getClientRects().length > 0)
  return root !== undefined && !getComputedStyle(root).getPropertyValue('--_muted')
}
