import type { OverlayOptions } from 'sharp'
import type { DecodedImage } from '../assemble-screenshot.js'

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

/** A square without the quarter of a circle. */
function cornerMask(side: number, { x, y }: { x: number; y: number }): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><mask id="m"><rect width="100%" height="100%" fill="#fff"/><circle cx="${x}" cy="${y}" r="${side}"/></mask><rect width="100%" height="100%" mask="url(#m)"/></svg>`,
  )
}
