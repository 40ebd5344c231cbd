export { attributesMarkup, markupText } from './attributes-markup.js'
export type { Attributes, Markup } from './attributes-markup.js'
export { CARD_HEADERS, htmlCard } from './html-card.js'
export { staticCard } from './static-card.js'
