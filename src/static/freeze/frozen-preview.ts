import { createHash } from 'node:crypto'
import type { PageData } from '../../query/index.js'

/** Everything that the card of a page needs, with images as files. */
export interface FrozenPreview {
  /** Texts, and the media with their original URLs; `image` has the files and their sizes. */
  data: PageData
  /** Absent if the page has no image, or if it could not be fetched. */
  image?: (FrozenImage & { isScreenshot: boolean }) | undefined
  /** The same image of the page in its dark colour scheme, if both were requested. */
  darkImage?: FrozenImage | undefined
  /** The page's logo. */
  icon?: FrozenImage | undefined
  /** When it was produced, ISO 8601. */
  date: string
  /** The page's own HTTP status, if it sent its content with an error. */
  statusCode?: number | undefined
  /** The page has failed since: its card shows the date. */
  isStale?: boolean | undefined
  /** URL of an archived copy of a page that has failed; the card links to it. */
  archiveUrl?: string | undefined
}

/** An image in the widths and types in which it was written. */
export interface FrozenImage {
  /** The image's own pixels; 0 if they are not known. */
  width: number
  /** As `width`. */
  height: number
  /** One for each width and type, below the folder of assets. */
  files: readonly FrozenFile[]
}

/** A file below the folder of assets. */
export interface FrozenFile {
  /** A hash of the content, the width and the type: `0a1b2c3d4e5f6071.640.webp`. */
  name: string
  /** File type; never that of a document, such as SVG. */
  type: 'jpg' | 'png' | 'webp' | 'avif' | 'gif' | 'ico'
  /** Pixels; 0 if they are not known. */
  width: number
}

export const IMAGE_TYPES: readonly FrozenFile['type'][] = ['jpg', 'png', 'webp', 'avif', 'gif', 'ico']
/** The name of an image: a hash of its content, its width in pixels and its type. */
const NAME = /^([\da-f]{16})\.\d{1,5}\.(jpg|png|webp|avif|gif|ico)$/
const HASH_CHARS = 16

/** @param width  Pixels; 0 if it is not known. */
export const frozenName = (bytes: Uint8Array, width: number, type: string): string =>
  `${contentHash(bytes)}.${width}.${type}`

export const isFrozenName = (name: string): boolean => NAME.test(name)

/** Whether the name contains the hash of these bytes. */
export const isContentOf = (name: string, bytes: Uint8Array): boolean => NAME.exec(name)?.[1] === contentHash(bytes)

const contentHash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, HASH_CHARS)

const FIELDS = ['image', 'darkImage', 'icon'] as const

/** Names of the files that a preview needs. */
export const imageNames = (preview: FrozenPreview | undefined): string[] =>
  FIELDS.flatMap((field) => preview?.[field]?.files.map(({ name }) => name) ?? [])

/** The preview without files that are missing, and without an image that has no file left. */
export function withImages(preview: FrozenPreview, isMissing: (name: string) => boolean): FrozenPreview {
  const complete = { ...preview }
  for (const field of FIELDS) {
    const image = preview[field]
    const files = image?.files.filter(({ name }) => !isMissing(name)) ?? []
    if (image && files.length === image.files.length) continue
    if (files.length) Object.assign(complete, { [field]: { ...image, files } })
    else delete complete[field]
  }
  return complete
}

/** The file whose width is nearest to a number of pixels. */
export const nearestFile = (files: readonly FrozenFile[], width: number): FrozenFile | undefined =>
  files.toSorted((one, other) => Math.abs(one.width - width) - Math.abs(other.width - width))[0]

/** The same of the WebP files if there are any: every browser that runs a script of ours supports them. */
export function nearestWebp({ files }: FrozenImage, width: number): FrozenFile | undefined {
  const webp = files.filter(({ type }) => type === 'webp')
  return nearestFile(webp.length ? webp : files, width)
}
