export { normaliseDate } from './normalise-date.js'
export { normaliseName } from './normalise-text.js'
export { normaliseValue, resolveUrl } from './normalise-value.js'
export type { MetadataField } from './normalise-value.js'
