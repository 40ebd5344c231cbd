import { imageSize } from 'image-size'

// Apart from `image-formats.ts`, because loading `image-size` would take each image process 13 ms.

/** What the first bytes of an image state. */
export interface ImageHead {
  /** `jpg`, `svg`, `ico`. */
  type: string | undefined
  /** Pixels as displayed, after applying the orientation; `null` when unknown. */
  width: number | null
  height: number | null
}

/** Enough for the dimensions in every common format, including metadata before them. Time grows with the number of segments. */
export const MAX_HEAD_BYTES = 65_536

/** Reads type and dimensions from the first 64 kB; `undefined` for an unknown format, and for dimensions beyond these bytes. */
export function readImageHead(bytes: Uint8Array): ImageHead | undefined {
  try {
    const { width, height, type, orientation = 1 } = imageSize(bytes.subarray(0, MAX_HEAD_BYTES))
    const isRotated = orientation >= 5
    return {
      type,
      width: Math.round(isRotated ? height : width) || null,
      height: Math.round(isRotated ? width : height) || null,
    }
  } catch {
    return undefined
  }
}
