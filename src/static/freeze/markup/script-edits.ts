import type { Element } from 'domhandler'
import { attributesMarkup, markupText } from '../../../server/html-card/index.js'
import { FROZEN } from './card-edits.js'
import { findScriptTag } from './find-script-tag.js'
import { headEnd } from './head-end.js'
import type { Edit } from './page-text.js'

/** Whether a page has the script tag, and whether it loads it from the folder of assets. */
export function findScript(elements: readonly Element[]): 'none' | 'own' | 'frozen' {
  const script = findScriptTag(elements)
  if (!script) return 'none'
  return FROZEN in script.attribs ? 'frozen' : 'own'
}

/**
 * The edit that adds the script tag to a page.
 *
 * @param firstLink  Offset of the first hover preview, for a page whose head has no tags.
 */
export function scriptEdits(elements: readonly Element[], assets: string, firstLink: number): Edit[] {
  const place = headEnd(elements) ?? firstLink
  const html = `<script async${markupText(attributesMarkup({ src: `${assets}page-preview.js` }))} ${FROZEN}></script>`
  return [{ start: place, end: place, html }]
}
