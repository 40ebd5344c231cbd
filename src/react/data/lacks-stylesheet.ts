/** Whether a document shows previews without `styles.css`. */
export function lacksStylesheet(document: Document): boolean {
  // Only an element with a box: hidden ones, and those in environments without layout, do not show whether styles apply.
  const root = [...document.querySelectorAll('.page-preview')].find((element) => element.getClientRects().length > 0)
  return root !== undefined && !getComputedStyle(root).getPropertyValue('--_muted')
}
