import type { PageData } from '../../../query/index.js'

/** Everything that the card of a page needs, with images as files. */
export interface FrozenPreview {
  /** Texts, and the media with their original URLs; `image` has the files and their sizes. */
  data: PageData
  /** Absent where the page has none, or none that could be fetched. */
  image?: (FrozenImage & { isScreenshot: boolean }) | undefined
  /** The same image of the page in its dark colour scheme, where both were requested. */
  darkImage?: FrozenImage | undefined
  /** The page's logo. */
  icon?: FrozenImage | undefined
  /** When it was produced, ISO 8601. */
  date: string
  /** The page has failed since: its card shows the date. */
  isStale?: boolean | undefined
  /** URL of an archived copy of a page that has failed; the card links to it. */
  archiveUrl?: string | undefined
}

/** An image in the widths and types in which it was written. */
export interface FrozenImage {
  /** The image's own pixels. */
  width: number
  height: number
  files: readonly FrozenFile[]
}

/** A file below the folder of assets. */
export interface FrozenFile {
  name: string
  type: 'jpg' | 'png' | 'webp' | 'avif' | 'svg' | 'gif' | 'ico'
  /** Pixels. */
  width: number
}
