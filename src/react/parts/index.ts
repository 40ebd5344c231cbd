/** The parts of a preview, for a card of your own. They have no styles. */
export * as Preview from './namespace.js'
export type { PlayState } from './media.js'
export type { PartProps, PartState } from './part.js'
export type { RootProps } from './root.js'
