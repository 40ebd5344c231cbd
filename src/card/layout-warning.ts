import { layoutNames, layoutOf } from './image-sizes.js'

/** A warning for the author of a preview with an unknown layout; `undefined` for a known one, and where none is set. */
export function layoutWarning(layout: unknown): string | undefined {
  if (layout === undefined || layoutOf(layout) === layout) return undefined
  const names = layoutNames()
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return `There is no layout ${JSON.stringify(layout)}; the preview is shown as a card. Layouts are ${list}.`
}
