import type { HostList } from '../../../query/help/index.js'
import { isPageError, PageError } from '../../../query/index.js'
import type { Images } from '../../images/index.js'
import type { OpenPage } from '../open-page.js'
import { runInPage } from '../run-in-page.js'

/** The background of an overlay. */
export type Background = { kind: 'css'; value: string } | { kind: 'image'; bytes: Uint8Array }

/** Fetches an image under the rules of the network guard, and from `allowedHosts` only when they are set. */
export type FetchImage = (url: string, signal: AbortSignal, allowedHosts?: HostList) => Promise<Uint8Array>

export interface ReadBackgroundOptions {
  /** A blank page, in which the browser validates colours and gradients. */
  page: OpenPage
  fetchImage: FetchImage
  images: Images
  signal: AbortSignal
}

/** CSS functions that load nothing. */
const SAFE_FUNCTIONS =
  /^(?:(?:repeating-)?(?:linear|radial|conic)-gradient|rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|calc|min|max|clamp)$/i
const UNSAFE_CHARACTERS = /["'\\;{}@<>]|\/\*|!/
const GLOBAL_KEYWORDS = /^(?:inherit|initial|unset|revert|revert-layer)$/i

/** URL parsers sort the combining characters of a host in quadratic time. */
const MAX_HOST_CHARS = 999
const HTTP_HOST = /^https?:\/\/([^/?#\\]+)/i

const IS_BACKGROUND = `(value) => CSS.supports('background', value) && (/-gradient\\(/i.test(value) || CSS.supports('color', value))`

/**
 * Reads `overlay.background`: the URL of an image, plain or as `url(…)`, or a CSS background of colours and gradients.
 *
 * @throws  {PageError} `EINVALOVERLAYBG`; an aborted `signal` throws its own reason.
 */
export async function readBackground(text: string, options: ReadBackgroundOptions): Promise<Background> {
  const value = text.trim()
  const url = imageUrl(value)
  if (url !== undefined) return { kind: 'image', bytes: await readImage(url, options) }
  const isBackground = isSafe(value) && (await runInPage<boolean>(options.page, IS_BACKGROUND, value))
  if (!isBackground) throw invalidBackgroundError()
  return { kind: 'css', value }
}

/** The URL of an image, plain or as `url(…)`, with or without quotes. */
function imageUrl(value: string): string | undefined {
  if (/^https?:/i.test(value)) return value
  if (!/^url\(/i.test(value) || !value.endsWith(')')) return undefined
  const url = value.slice('url('.length, -1).trim()
  const [quote] = url
  const isQuoted = (quote === '"' || quote === "'") && url.length > 1 && url.endsWith(quote)
  return isQuoted ? url.slice(1, -1) : url
}

function isSafe(value: string): boolean {
  if (UNSAFE_CHARACTERS.test(value) || GLOBAL_KEYWORDS.test(value)) return false
  const functions = [...value.matchAll(/(?<![\w-])([\w-]*)\(/g)].map(([, name]) => name!)
  return functions.every((name) => name === '' || SAFE_FUNCTIONS.test(name))
}

async function readImage(url: string, { fetchImage, images, signal }: ReadBackgroundOptions): Promise<Uint8Array> {
  if (!isHttpUrl(url)) throw invalidBackgroundError()
  try {
    const bytes = await fetchImage(url, signal)
    await images.measureImage(bytes, { signal })
    return bytes
  } catch (cause) {
    signal.throwIfAborted()
    throw invalidBackgroundError(cause)
  }
}

function isHttpUrl(url: string): boolean {
  const [, host] = HTTP_HOST.exec(url) ?? []
  return host !== undefined && host.length <= MAX_HOST_CHARS && URL.canParse(url)
}

function invalidBackgroundError(cause?: unknown): PageError {
  const reason = 'is neither a colour, a gradient nor a reachable image'
  const detail = isPageError(cause) ? ` ${cause.message}` : ''
  return new PageError('EINVALOVERLAYBG', `overlay.background ${reason}.${detail}`, {
    data: { 'overlay.background': reason },
    cause,
  })
}
