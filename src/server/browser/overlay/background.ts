import sharp from 'sharp'
import { isPageError, PageError } from '../../../query/index.js'
import type { OpenPage } from '../open-page.js'
import { runInPage } from '../run-in-page.js'

/** What fills behind a capture. */
export type Background = { kind: 'css'; value: string } | { kind: 'image'; bytes: Uint8Array }

/** Under the network guard. */
export type FetchImage = (url: string, signal: AbortSignal) => Promise<Uint8Array>

export interface ReadBackgroundOptions {
  /** A blank page, which knows every colour and gradient. */
  page: OpenPage
  fetchImage: FetchImage
  signal: AbortSignal
}

const MAX_IMAGE_PIXELS = 50_000_000
/** No SVG, for it may take as long to draw as it likes. */
const IMAGE_FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'heif'])

/** What may stand before a parenthesis: nothing that would load something. */
const FUNCTIONS =
  /^(?:(?:repeating-)?(?:linear|radial|conic)-gradient|rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|calc|min|max|clamp)$/i
const FORBIDDEN = /["'\\;{}@<>]|\/\*|!/
const INHERITED = /^(?:inherit|initial|unset|revert|revert-layer)$/i

const IS_BACKGROUND = `(value) => CSS.supports('background', value) && (/-gradient\\(/i.test(value) || CSS.supports('color', value))`

/**
 * Reads `overlay.background`: an address of an image, bare or as `url(…)`, or what CSS takes as a background made of colours and
 * gradients.
 *
 * @throws  {PageError} `EINVALOVERLAYBG`; an aborted `signal` throws its own reason.
 */
export async function readBackground(text: string, options: ReadBackgroundOptions): Promise<Background> {
  const value = text.trim()
  const address = /^(?:url\(\s*(["']?)(.+)\1\s*\)|(https?:.+))$/i.exec(value)
  const url = address?.[2] ?? address?.[3]
  if (url !== undefined) return { kind: 'image', bytes: await readImage(url, options) }
  if (!isHarmless(value) || !(await runInPage<boolean>(options.page, IS_BACKGROUND, value))) throw noBackground()
  return { kind: 'css', value }
}

function isHarmless(value: string): boolean {
  const functions = [...value.matchAll(/([\w-]*)\(/g)].map(([, name]) => name!)
  return (
    !FORBIDDEN.test(value) && !INHERITED.test(value) && functions.every((name) => name === '' || FUNCTIONS.test(name))
  )
}

async function readImage(url: string, { fetchImage, signal }: ReadBackgroundOptions): Promise<Uint8Array> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw noBackground()
  try {
    const bytes = await fetchImage(url, signal)
    const { format, width, height } = await sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS }).metadata()
    if (!IMAGE_FORMATS.has(format) || width * height > MAX_IMAGE_PIXELS)
      throw new Error(`${format} of ${width} × ${height} pixels`)
    return bytes
  } catch (cause) {
    signal.throwIfAborted()
    throw noBackground(cause)
  }
}

function noBackground(cause?: unknown): PageError {
  const reason = 'is neither a colour, a gradient nor a reachable image'
  const because = isPageError(cause) ? ` ${cause.message}` : ''
  return new PageError('EINVALOVERLAYBG', `overlay.background ${reason}.${because}`, {
    data: { 'overlay.background': reason },
    cause,
  })
}
