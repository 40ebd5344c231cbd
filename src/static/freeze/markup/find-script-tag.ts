import type { Element } from 'domhandler'

/** The script tag of a page that loads `page-preview.js`, from any folder. */
export const findScriptTag = (elements: readonly Element[]): Element | undefined =>
  elements.find(({ name, attribs }) => name === 'script' && /(^|\/)page-preview\.js/.test(attribs['src'] ?? ''))
