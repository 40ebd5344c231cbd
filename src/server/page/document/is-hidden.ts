import type { Attributes } from './attributes.js'

const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i
const MAX_STYLE_CHARS = 500

/** Whether an element hides itself by its own attributes. */
export const isHidden = ({ style = '', hidden }: Attributes): boolean =>
  hidden !== undefined || (style !== '' && HIDDEN_STYLE.test(style.slice(0, MAX_STYLE_CHARS)))
