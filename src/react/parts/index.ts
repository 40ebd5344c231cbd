/** The parts of a preview, for a card of your own. They have no styles. */
export * as Preview from './namespace.js'
export { usePreviewState } from './parts.js'
export type { Part, PartProps, PlayState } from './parts.js'
export type { PartState } from './preview-view.js'
export type { RootProps } from './root.js'
