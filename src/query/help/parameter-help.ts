import { fields, groupOf, parameterOf, screenshotFields } from '../fields.js'
import type { PageData, ParameterName } from '../index.js'
import { MAX_VALUE_CHARS } from '../parameter-values.js'
import { canonicalName, MAX_NAME_CHARS, MAX_PARAMETERS } from '../parsed-query.js'

/** What a query may have at most; anything beyond is `EINVALQUERY`. */
export const queryLimits = {
  parameters: MAX_PARAMETERS,
  /** Length of the name of a parameter. */
  nameChars: MAX_NAME_CHARS,
  /** Length of a value of any type. */
  valueChars: MAX_VALUE_CHARS,
  /** Length of the host of an address, as it is written; `HTTP_URL` in `parameter-values.ts` repeats it, which takes fewer bytes in browsers. */
  hostChars: 999,
} as const

/** Whether a parameter, by its canonical name, is an option of `screenshot`, which requests one. */
export const isScreenshotOption = (name: string): boolean => Object.hasOwn(screenshotFields, name)

/** The fields of the result that `meta` and `ping` switch on and off. */
export const switchableFields = {
  meta: ['title', 'description', 'lang', 'author', 'publisher', 'date', 'url', 'image', 'logo', 'audio', 'video'],
  ping: ['url', 'image', 'logo', 'audio', 'video'],
} as const satisfies Record<string, readonly (keyof PageData)[]>

const GROUPS: ReadonlySet<string> = new Set(Object.keys(fields).map(groupOf))

/** All parameters, with one name for each group of them: `viewport` for `viewport.width` and the others. */
export const parameterGroups: readonly string[] = [...GROUPS]

/** Whether a name is a parameter, or one of a group: `viewport`, `viewport.width`. */
export const isParameter = (name: string): boolean => GROUPS.has(groupOf(name))

/**
 * How a command line writes the parameter of this name, in any spelling: `boolean` if it may have no value. `undefined` if the
 * language has no such parameter.
 */
export function parameterFlag(written: string): 'boolean' | 'string' | undefined {
  const name = knownName(written)
  if (name === undefined) return undefined
  return ['boolean', 'embed'].includes(parameterOf(name)?.type ?? '') ? 'boolean' : 'string'
}

/** The canonical name; an invalid name stays as it is, and parsing the query says why it is invalid. */
function knownName(written: string): string | undefined {
  try {
    return canonicalName(written)
  } catch {
    return written
  }
}

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
  'overlay.background': 'Fill behind the screenshot: a colour, a CSS gradient or an image URL.',
  'screenshot.fullPage': 'Capture the whole scrolled page, with lazy images loaded.',
  'screenshot.clip': 'Capture only this rectangle of the page: x,y,width,height in CSS pixels.',
  'screenshot.padding': 'How much of the page to show around an element or clip, in CSS pixels.',
  'screenshot.type': 'File type of the screenshot.',
  'screenshot.quality': 'Quality of jpg, webp and avif.',
  'screenshot.omitBackground': 'Leave the background transparent (png, webp, avif).',
  history: 'Add the last versions of the page that differ visibly, and what changed in each; only on the pro host.',
  embed: 'Respond with one field itself instead of JSON: a dotted path into data, or html.',
  'variant.width': 'Deliver an embedded image in this width in pixels, or in its own width if that is smaller.',
  'variant.maxSide': 'Deliver an embedded image with at most this many pixels on its longer side.',
  'variant.maxBytes':
    'Deliver an embedded image as a file of at most this many bytes: with lower quality, and if need be smaller.',
  'variant.type':
    'Deliver an embedded image in this file type; with another option of variant, by default the best that the client accepts.',
  'variant.tiles':
    'List the tiles of a screenshot that is longer than variant.maxSide (1568 by default), with their places on the page.',
  filter: 'Keep only these fields of data: a comma-separated list of dotted paths.',
  device: 'Name of the emulated device, case-insensitive: "iPhone 6", "iPad Pro landscape".',
  'viewport.width': 'Width of the viewport in CSS pixels.',
  'viewport.height': 'Height of the viewport in CSS pixels.',
  'viewport.deviceScaleFactor': 'Image pixels per CSS pixel.',
  'viewport.isMobile': 'Behave like a mobile browser.',
  'viewport.hasTouch': 'Emulate a touch screen.',
  'viewport.isLandscape': 'Rotate the device to landscape.',
  colorScheme: 'Preferred colour scheme reported to the page.',
  mediaType: 'CSS media type of the page.',
  locale: 'Language of the visitor, as a BCP 47 tag: Accept-Language, navigator.language and Intl.',
  timezone: 'Time zone of the visitor, as an IANA name.',
  geolocation: 'Position of the visitor, latitude,longitude, which the page may read.',
  animations: 'Let CSS animations run; by default they are frozen.',
  javascript: 'Run the scripts of the page.',
  adblock: 'Block ads and trackers, and hide cookie banners and other overlays.',
  waitUntil: 'When the page counts as loaded.',
  waitForSelector: 'Wait until an element matches this CSS selector.',
  waitForTimeout: 'Wait this long before the capture.',
  click: 'Click the elements that match these CSS selectors, in order.',
  scroll: 'Scroll to the element that matches this CSS selector.',
  styles: 'CSS to inject into the page: CSS text or URLs.',
  palette: 'Add the most frequent colours to each image.',
  markdown: 'Add the main content of the page as Markdown: what a visitor sees of it.',
  text: 'Add the main content of the page as plain text: what a visitor sees of it.',
  'title.pick': 'Use the title with this id, as candidates lists it; if it is gone, the best one with a warning.',
  'image.pick': 'Use the image with this id, as candidates lists it; if it is gone, the best one with a warning.',
  candidates: 'List the titles, descriptions and images that the page states, the best first.',
  explain: 'Add how the result came about: requests, sources, checks, and what was hidden.',
  timeout: 'Time limit for the whole request.',
  ttl: 'How long a result is cached; 31d when an image is embedded.',
  staleTtl:
    'Age from which a cached result is stale: served at once and revalidated in the background; 24h when an image is embedded.',
  force: 'Bypass the cache and refresh it.',
  expires: 'When a signed request expires: seconds since 1970.',
  keyId: 'Id of the key that signed the request.',
  signature: 'HMAC-SHA-256 over the canonical query, base64url.',
}
