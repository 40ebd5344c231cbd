import type { PageData } from '../../query/index.js'
import type { KeptAnswer } from './kept-answer.js'
import type { Embed } from './preview-request.js'

/** What to put into an `<img>`. */
export interface Picture {
  src: string
  /** To be taken when `src` cannot be shown. */
  otherSrc: string | undefined
  /** The picture's own pixels; 16:10 until they are known. */
  width: number
  height: number
  /** `#rrggbb`. */
  background: string | undefined
  isScreenshot: boolean
  /** `2560 × 1600`, `JPG`, `53.3 kB`, as far as they are known. */
  facts: string[]
}

const WIDTH = 1280
const HEIGHT = 800

/** A renewed screenshot has an address of its own, which is shown in the place of the embed's. */
export function pictureOf(
  page: PageData | undefined,
  answer: KeptAnswer | undefined,
  embed: Embed | undefined,
): Picture | undefined {
  const { screenshot, image } = page ?? {}
  const media = embed ? page?.[embed.field] : (screenshot ?? image)
  const isScreenshot = embed ? embed.field === 'screenshot' : Boolean(screenshot)
  const isRenewed = isScreenshot && answer && answer.firstPictureUrl !== media?.url
  const src = (isRenewed ? undefined : embed?.url) ?? media?.url
  if (!src) return undefined
  const { width, height, type, size_pretty: size } = media ?? {}
  const facts = [width && height && `${width} × ${height}`, type && typeName(type), size]
  return {
    src,
    otherSrc: media?.url,
    width: width ?? WIDTH,
    height: height ?? HEIGHT,
    background: screenshot?.background_color,
    isScreenshot,
    facts: facts.filter((fact) => typeof fact === 'string'),
  }
}

const typeName = (type: string) => (type === 'webp' ? 'WebP' : type.toUpperCase())
