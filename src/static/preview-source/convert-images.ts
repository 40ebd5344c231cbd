import pLimit from 'p-limit'
import { isPageError, PageError } from '../../query/index.js'
import { findBrowserUser } from '../../server/browser/index.js'
import { createImages, findImageUser, MAX_CONCURRENT_CONVERSIONS, type Images } from '../../server/images/index.js'
import { hasVariants, type SourceImage, type VariantRequest } from './preview-source.js'
import type { LocalTransportOptions } from './transport.js'

/** Converts images in child processes of this run, so that a service delivers each image once. */
export interface Converter {
  /** @throws  {PageError} `ENOEMBED` when the image cannot be decoded, and as `Images` does. */
  convert(image: SourceImage, variants: readonly VariantRequest[], signal: AbortSignal): Promise<SourceImage[]>
  close(): Promise<void>
}

export async function createConverter({
  browserUser,
  log,
}: Pick<LocalTransportOptions, 'browserUser' | 'log'>): Promise<Converter> {
  const unprivileged = await findBrowserUser(browserUser).catch(() => undefined)
  const images = createImages({
    user: await findImageUser(unprivileged, { warn: (event) => log?.warn(event, 'images') }),
  })
  const limit = pLimit(MAX_CONCURRENT_CONVERSIONS)
  return {
    async convert(image, variants, signal) {
      const { bytes, type: ownType } = image
      if (!hasVariants(ownType)) return [image]
      const conversions = variants.map(({ width, type = ownType }) => ({ width, type, isOwnType: type === ownType }))
      const converted = await limit(() => convertOrFail(bytes, conversions, { images, signal }))
      if (converted.every((variant) => !variant)) return [image]
      return converted.map((variant, index) => (variant ? { ...variant, type: conversions[index]!.type } : image))
    },
    close: () => images.close(),
  }
}

type Conversions = Parameters<Images['convertVariants']>[1]

async function convertOrFail(
  bytes: Uint8Array,
  conversions: Conversions,
  { images, signal }: { images: Images; signal: AbortSignal },
) {
  try {
    return await images.convertVariants(bytes, conversions, { signal })
  } catch (error) {
    signal.throwIfAborted()
    if (isPageError(error)) throw error
    throw new PageError('ENOEMBED', 'The image cannot be decoded.', {
      data: { embed: 'cannot be decoded' },
      cause: error,
    })
  }
}
