export {
  canonicalLocale,
  cardModel,
  englishAlt,
  imageFit,
  imageSizes,
  layoutOf,
  layoutWarning,
  toDisplayUrl,
} from './card-model.js'
export type { CardModel, DisplayUrl, Layout } from './card-model.js'
export { chooseImage, defaultImageSize, imageWidths } from './choose-image.js'
export type { CardImage } from './choose-image.js'
export { withUnicodeHost } from './unicode-host.js'
export { filterData } from './filter-data.js'
export { previewRequest } from './preview-request.js'
export type { PagePreviewKey, PreviewRequest } from './preview-request.js'
export { isParameter } from '../query/help/index.js'
export { attributeOptions, readAttributes } from './read-attributes.js'
