export { decodeEntities } from './decode-text.js'
export { normaliseMarkup, normaliseText } from './normalise-text.js'
export {
  isGeneric,
  isNewPage,
  isPlaceholder,
  isPrintVersion,
  isScaffoldDescription,
  isScaffoldTitle,
  isVagueTitle,
} from './placeholder-texts.js'
export { decodeUrlPart, parseUrl, resolveIconUrl, resolveUrl } from './resolve-url.js'
