import { fields, type PageQuery, type PageResponse } from '../../query/index.js'
import type { ImageType } from '../../server/images/index.js'

/** The parameters of a request by name. */
export type SourceQuery = PageQuery | Readonly<Record<string, unknown>>

/** The fields of `data` that are images. */
export type ImageField = 'screenshot' | 'image' | 'logo'

/** Where results and images come from: a service in this process, or a running one. */
export interface PreviewSource {
  /**
   * The result for a query; parameters of delivery but `force` and `timeout` are ignored.
   *
   * @throws  {PageError} as the service responds; `EFATALCLIENT` when a running service does not respond as one; the reason of
   *          `signal` when that aborts.
   */
  page(query: SourceQuery, signal: AbortSignal): Promise<SourcePage>
  /**
   * The bytes of an image of the result for the same query. Images are never enlarged, and animations and icons have no variants.
   *
   * @throws  {PageError} as `page` does; `ENOEMBED` when the result has no such image, or one that is a document, such as SVG.
   */
  image(query: SourceQuery, field: ImageField, variant: ImageRequest, signal: AbortSignal): Promise<SourceImage>
  /**
   * An image of the result in several widths and types, in their order, each at most as wide as it is. Images that have no
   * variants, such as animations, are delivered as they are, once.
   *
   * @throws  {PageError} as `image` does; `ENOEMBED` too when it cannot be decoded.
   */
  variants(
    query: SourceQuery,
    field: ImageField,
    variants: readonly VariantRequest[],
    signal: AbortSignal,
  ): Promise<SourceImage[]>
  /** Ends the browser, when there is one. */
  close(): Promise<void>
}

/** The variant of an image; default: the image as it is. */
export interface ImageRequest {
  /** Pixels, one of the offered widths. */
  width?: number | undefined
  type?: ImageType | undefined
}

export interface VariantRequest extends ImageRequest {
  /** Pixels. */
  width: number
}

export interface SourcePage extends Pick<PageResponse, 'data' | 'statusCode' | 'redirects'> {
  /** Milliseconds since 1970. */
  producedAt: number
  cacheStatus: string
  warnings: string[]
}

export interface SourceImage {
  bytes: Uint8Array
  type: ImageType | 'gif' | 'ico' | 'bmp'
  /** Pixels; `undefined` if the service does not know them. */
  width: number | undefined
  height: number | undefined
}

const TYPES: readonly string[] = fields['variant.type'].values

/** Whether images of a file type have variants; the others, such as animations, are delivered as they are. */
export const hasVariants = (type: string): type is ImageType => TYPES.includes(type)
