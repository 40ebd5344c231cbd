/** Pixels of an image that is decoded or encoded. */
export const MAX_PIXELS = 64_000_000
/** Slightly fewer, because each tile of a screenshot is rounded up to whole pixels. */
const MAX_ENCODED_PIXELS = 63_000_000
/** The encoder of AVIF needs 34 bytes per pixel. */
const MAX_AVIF_PIXELS = 32_000_000

/** Pixels that an image may have in a file format; a larger one has to be scaled down before it is encoded. */
export const maxPixelsOf = (type: string): number => (type === 'avif' ? MAX_AVIF_PIXELS : MAX_ENCODED_PIXELS)
