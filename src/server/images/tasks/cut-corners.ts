import type { OverlayOptions } from 'sharp'
import type { DecodedImage } from './join-tiles.js'

/** Rounds the corners of an image with transparency: all four, or the lower two below a title bar. */
export async function cutCorners(
  { image, width, height }: DecodedImage,
  { radius, hasTitleBar }: { radius: number; hasTitleBar: boolean },
): Promise<OverlayOptions> {
  const side = Math.min(radius, Math.floor(width / 2), Math.floor(height / 2))
  const lower = [
    { left: 0, top: height - side, centre: { x: side, y: 0 } },
    { left: width - side, top: height - side, centre: { x: 0, y: 0 } },
  ]
  const upper = [
    { left: 0, top: 0, centre: { x: side, y: side } },
    { left: width - side, top: 0, centre: { x: 0, y: side } },
  ]
  const masks = [...(hasTitleBar ? [] : upper), ...lower].map(({ left, top, centre }) => ({
    input: cornerMask(side, centre),
    raw: { width: side, height: side, channels: 4 as const },
    left,
    top,
    blend: 'dest-out' as const,
  }))
  const { data, info } = await image
    .ensureAlpha()
    .composite(side > 0 ? masks : [])
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 } }
}

/** RGBA of a square without the quarter of a circle; its alpha is the share of each pixel outside of the circle. */
function cornerMask(side: number, centre: { x: number; y: number }): Buffer {
  const mask = Buffer.alloc(side * side * 4)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const distance = Math.hypot(x + 0.5 - centre.x, y + 0.5 - centre.y)
      const share = Math.min(1, Math.max(0, distance - side + 0.5))
      mask[(y * side + x) * 4 + 3] = Math.round(share * 255)
    }
  return mask
}
