import type { PreviewSource, PreviewSourceOptions } from '../preview-source/index.js'
import type { ImageType } from './capture/capture-image.js'
import type { FindPreviewsOptions } from './markup/index.js'

/** Where previews come from, and where they are stored. */
export interface OpenPreviewsOptions extends PreviewSourceOptions {
  /** The lock file. Default: `page-preview.lock.json` in the working folder. */
  lock?: string | undefined
  /** Folder of images and finished previews, to be kept between runs. Default: `.page-preview-cache` in the working folder. */
  cache?: string | undefined
  /** Types of image files, in addition to the own type of an image. Default: `webp`. */
  imageTypes?: readonly ImageType[] | undefined
  /** Age in milliseconds after which a preview is captured again. Default: never. */
  maxAge?: number | undefined
  /** URLs whose previews are captured again. */
  refresh?: readonly string[] | undefined
  /** Uses the lock file and the cache alone. Default: false. */
  offline?: boolean | undefined
  /**
   * Like `offline`, but fails if a preview is not in the lock file, or an image not in the cache; compare `npm ci`. Default:
   * false.
   */
  frozen?: boolean | undefined
  /** Adds a URL of the Wayback Machine to links that fail, without requesting it. Default: false. */
  archive?: boolean | undefined
  /** Previews that are captured at the same time. Default: 2. */
  concurrency?: number | undefined
  /** Replaces the service; it is not closed. */
  source?: PreviewSource | undefined
  /** Stops the run; finished previews are kept. */
  signal?: AbortSignal | undefined
  /** Milliseconds since 1970. Default: the system's clock. */
  clock?: (() => number) | undefined
  /** Called for each preview as soon as it is known. */
  onPreview?: ((event: PreviewEvent) => void) | undefined
}

/** Where the preview of a link came from. */
export interface PreviewEvent {
  url: string
  outcome: 'new' | 'cached' | 'refreshed' | 'failed'
  /** Why it failed: a code and a sentence. */
  failure?: { code: string; message: string } | undefined
  /** Whether a failed link has a card with its last good result. */
  hasPreview: boolean
}

/** The options of `freeze`: the site, and where its previews come from. */
export interface FreezeOptions extends OpenPreviewsOptions, Omit<FindPreviewsOptions, 'baseUrl'> {
  /** Folder of the built site. */
  dir: string
  /** URL of the site, to which relative links of its pages refer. Default: they have no previews. */
  baseUrl?: string | undefined
  /** URL of the folder with images and stylesheet. Default: relative to each page. */
  assetsUrl?: string | undefined
  /** Pages contain the stylesheet instead of a link to it. Default: false. */
  inlineStyles?: boolean | undefined
  /** Keeps previews in the lock file, and images in the site, that no page has. Default: false. */
  keepUnused?: boolean | undefined
  /** Removes images from the cache folder that no page has; not with `keepUnused`. Default: false. */
  prune?: boolean | undefined
  /** Called once the previews of the site are counted. */
  onFound?: ((previews: number) => void) | undefined
}
