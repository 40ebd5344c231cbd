export { declaredDecoder } from './declared-decoder.js'
export { decodeHtml } from './decode-html.js'
export { decodeText } from './decode-text.js'
