import type { Element } from 'domhandler'

/** The offset of `</head>`; `undefined` where the page leaves it out. */
export const headEnd = (elements: readonly Element[]): number | undefined =>
  elements.find(({ name }) => name === 'head')?.sourceCodeLocation?.endTag?.startOffset
