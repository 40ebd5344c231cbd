import type { ErrorCode, ParameterName } from '../index.js'

export { errorBody } from './error-body.js'
export type { ErrorBody } from './error-body.js'
export { errorCauses } from './error-causes.js'
export { checkHosts } from './check-hosts.js'
export { commandArguments, commandFlags, isParameterName } from './command-arguments.js'
export type { CommandArgument, CommandFlags } from './command-arguments.js'
export { ALLOW_HOSTS_HEADER, MAX_HOST_LIST_CHARS, parseHostList } from './host-list.js'
export type { HostList } from './host-list.js'
export { nearestName } from './nearest-name.js'
export { nearestParameter, parseSearch, withNearestParameter } from './parse-search.js'
export type { ParsedSearch } from './parse-search.js'
export { completeUrl } from '../complete-url/index.js'
export { queryLimits } from './query-limits.js'
export { refuseApiKeys } from './refuse-api-keys.js'
export { escapeUnprintable, terminalOutput } from './terminal-output.js'
export type { OutputStream, TerminalOutput } from './terminal-output.js'

/** One sentence per parameter: for the command line, `stories/docs/parameters.mdx` and the OpenAPI document. Browsers never load this module. */
export const parameterHelp: Readonly<Record<ParameterName, string>> = {
  url: 'The page to preview: an absolute http(s) URL.',
  headers:
    'Headers sent to the target page, as headers.NAME; headers.apiKey is the key of the service and is never sent to the page.',
  ping: 'Check that every URL in the result is publicly reachable; ping.FIELD=false leaves one field out.',
  meta: 'Which metadata to read; meta.FIELD=true reads only those, false none.',
  screenshot: 'Add a screenshot of the page.',
  element:
    'Capture only the element that matches this CSS selector; with several selectors, the box around their elements.',
  'overlay.browser': 'Draw a browser window around the screenshot.',
  'overlay.background': 'Fill behind the screenshot: a color, a CSS gradient or an image URL.',
  'screenshot.fullPage': 'Capture the whole scrolled page, with lazy images loaded.',
  'screenshot.clip': 'Capture only this rectangle of the page: x,y,width,height in CSS pixels.',
  'screenshot.padding': 'How much of the page to show around an element or clip, in CSS pixels.',
  'screenshot.type': 'File type of the screenshot.',
  'screenshot.quality': 'Quality of jpg, webp and avif.',
  'screenshot.omitBackground': 'Leave the background transparent (png, webp, avif).',
  embed: 'Respond with one field itself instead of JSON: a dotted path into data, or html.',
  'variant.width': 'Deliver an embedded image in this width in pixels, or in its own where that is smaller.',
  'variant.type':
    'Deliver an embedded image in this file type; with variant.width, by default the best that the client accepts.',
  filter: 'Keep only these fields of data: a comma-separated list of dotted paths.',
  device: 'Name of the emulated device, case-insensitive: "iPhone 6", "iPad Pro landscape".',
  'viewport.width': 'Width of the viewport in CSS pixels.',
  'viewport.height': 'Height of the viewport in CSS pixels.',
  'viewport.deviceScaleFactor': 'Image pixels per CSS pixel.',
  'viewport.isMobile': 'Behave like a mobile browser.',
  'viewport.hasTouch': 'Emulate a touch screen.',
  'viewport.isLandscape': 'Rotate the device to landscape.',
  colorScheme: 'Preferred color scheme reported to the page.',
  mediaType: 'CSS media type of the page.',
  locale: 'Language of the visitor, as a BCP 47 tag: Accept-Language, navigator.language and Intl.',
  timezone: 'Time zone of the visitor, as an IANA name.',
  geolocation: 'Position of the visitor, latitude,longitude, which the page may read.',
  animations: 'Let CSS animations run; by default they are frozen.',
  javascript: 'Run the scripts of the page.',
  adblock: 'Block ads, trackers and cookie banners.',
  waitUntil: 'When the page counts as loaded.',
  waitForSelector: 'Wait until an element matches this CSS selector.',
  waitForTimeout: 'Wait this long before the capture.',
  click: 'Click the elements that match these CSS selectors, in order.',
  scroll: 'Scroll to the element that matches this CSS selector.',
  styles: 'CSS to inject into the page: CSS text or URLs.',
  palette: 'Add the most frequent colors to each image.',
  timeout: 'Time limit for the whole request.',
  ttl: 'How long a result is cached; 31d when an image is embedded.',
  staleTtl:
    'Age from which a cached result is stale: served at once and revalidated in the background; 24h when an image is embedded.',
  force: 'Bypass the cache and refresh it.',
  expires: 'When a signed request expires: seconds since 1970.',
  keyId: 'Id of the key that signed the request.',
  signature: 'HMAC-SHA-256 over the canonical query, base64url.',
}

/** What each error code means, in one sentence. */
export const errorHelp: Readonly<Record<ErrorCode, string>> = {
  EINVALURL:
    'The url parameter is missing, relative, not http(s), contains a user name, or its host name has no public address.',
  EINVALQUERY: 'A parameter is invalid; data names it.',
  EINVALTTL: 'ttl must be between 1m and 31d.',
  EINVALSTTL: 'staleTtl must be false or between 0 and ttl.',
  EHEADERS: 'A request header may not be sent to the target page.',
  EINVALOVERLAYBG: 'overlay.background is not a color, a gradient or a reachable image.',
  EAUTH: 'The API key is missing or unknown, or the signature is invalid.',
  EFORBIDDENURL:
    'The service may not fetch the page or one of its redirects: its host is an IP address that is not public, or localhost, or the host or port is denied.',
  ENOEMBED: 'The embed path does not lead to a value.',
  ENOTFOUND: 'The service has no such path.',
  EMETHOD: 'Only GET, HEAD and OPTIONS are supported.',
  EELEMENT: 'The element is missing, hidden or empty.',
  ETOOLARGE: 'The page exceeds the byte limit or a limit of the browser, or its screenshot the pixel limit.',
  ERATE: 'This client has used up its daily limit, or has too many requests at the same time.',
  EFATAL: 'The service failed unexpectedly.',
  EUNREACHABLE: 'The page could not be reached: connection refused or reset, invalid TLS, or a broken response.',
  EMAXREDIRECTS: 'The page redirects more than 10 times.',
  EBUSY: 'The service is overloaded or shutting down.',
  ETIMEOUT: 'The page did not respond in time.',
  EBRWSRTIMEOUT: 'The browser did not finish in time.',
  EFATALCLIENT: 'The service did not respond, or its response could not be read.',
  EABORTED: 'The caller aborted the request.',
  ETIMEOUTCLIENT: 'The service did not respond in time.',
}
