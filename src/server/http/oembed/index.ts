export { oembedDiscoveryUrl } from './oembed-discovery-url.js'
export { oembedPhoto } from './oembed-photo.js'
export { parseOembedRequest } from './parse-oembed-request.js'
export type { OembedRequest } from './parse-oembed-request.js'
