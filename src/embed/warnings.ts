import { attributeOptions, layoutWarning } from '../card/index.js'
import { isScreenshotOption, nearestName } from '../query/help/index.js'
import { fields, type PageError } from '../query/index.js'

/** What the author of a page or the operator of its service can mend. */
export type WarningCause =
  | { error: PageError }
  | { layout: string }
  /** The name of an attribute that is neither a parameter nor an option, with `data-` except on `<page-preview>`. */
  | { attribute: string }
  /** The URL of a service that browsers do not request, because the page is https. */
  | { mixedContent: string }

const logged = new Set<string>()

/** Warns in the console, once for each message, and of errors once for each code. */
export function warn(cause: WarningCause): void {
  const message = messageOf(cause)
  const key = 'error' in cause ? cause.error.code : message
  if (message === undefined || key === undefined || logged.has(key)) return
  logged.add(key)
  console.warn(`page-preview: ${message}`)
}

function messageOf(cause: WarningCause): string | undefined {
  if ('error' in cause) return errorWarning(cause.error)
  if ('layout' in cause) return layoutWarning(cause.layout)
  if ('attribute' in cause) return attributeWarning(cause.attribute)
  return mixedContentWarning(cause.mixedContent)
}

/** Errors that the author of the page or the operator of the service can fix; links to pages that fail are the usual case. */
const SERVICE_ERRORS = /^E(INVAL|HEADERS|AUTH|RATE|FATAL|BUSY|TIMEOUTCLIENT)/

const errorWarning = ({ code, message }: PageError) =>
  SERVICE_ERRORS.test(code) ? `${message} (${code}); links still work.` : undefined

/** Browsers do request a service on this machine. */
const mixedContentWarning = (endpoint: string) =>
  /^http:\/\/(localhost|127\.|\[::1\])/i.test(endpoint)
    ? undefined
    : `Browsers block requests from this https page to ${endpoint}, which is http; links still work. Serve the service over ` +
      'https, or mount `createProxy` of page-preview/proxy on this site.'

const PUBLIC_API_KEY =
  'An API key in a page can be read and used by everybody. Keep it on a server: mount `createProxy` of page-preview/proxy, ' +
  'and remove it from the page.'

/** What to write in place of attributes that other elements have. */
const OTHER_ATTRIBUTES: Readonly<Record<string, string>> = {
  src: 'url',
  href: 'url',
  host: 'data-endpoint of the script tag',
  hosts: 'data-endpoint of the script tag',
  endpoint: 'data-endpoint of the script tag',
}

/** Attributes of any element that are no properties, or properties of another name. */
const GLOBAL_ATTRIBUTES = /^(item|is$|part$|exportparts$|ref$|key$|xmlns$)/

function attributeWarning(attribute: string): string | undefined {
  const prefix = attribute.startsWith('data-') ? 'data-' : ''
  const name = attribute.slice(prefix.length)
  if (name.replaceAll('-', '') === 'apikey') return PUBLIC_API_KEY
  const other = prefix ? undefined : OTHER_ATTRIBUTES[name]
  if (other) return `Unknown attribute "${attribute}". Did you mean ${other}?`
  if (!prefix && (GLOBAL_ATTRIBUTES.test(name) || isProperty(name))) return undefined
  const nearest = nearestName(name, attributeNames(), name.length / 3)
  if (nearest) return `Unknown attribute "${attribute}". Did you mean ${prefix}${nearest}?`
  // Other scripts have data attributes of their own, and frameworks directives with a hyphen.
  return prefix || name.includes('-') ? undefined : `Unknown attribute "${attribute}" of <page-preview>.`
}

/** `tabindex` is the property `tabIndex`. */
function isProperty(name: string): boolean {
  for (const property in HTMLElement.prototype) if (property.toLowerCase() === name) return true
  return false
}

/** All parameters and options as attributes; options of `screenshot` without that prefix. */
const attributeNames = (): string[] =>
  [...attributeOptions, ...Object.keys(fields).filter(isScreenshotOption)].map((name) =>
    name
      .replace('screenshot.', '')
      .replaceAll('.', '-')
      .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  )
