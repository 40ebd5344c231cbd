import type { Box } from './find-element-box.js'

export interface Size {
  width: number
  height: number
}

/** Limits of a finished image; a screenshot that would exceed them is scaled down. */
export interface ImageLimits {
  /** Pixels. */
  maxSide: number
  maxPixels?: number
  /** Pixels that an overlay will add. */
  overlay?: Size | undefined
}

const TOLERANCE_PX = 0.01

/** The size of a box in device pixels, with its edges where Chromium paints them. */
export const screenshotSize = ({ x, y, width, height }: Box, deviceScaleFactor: number): Size => ({
  width: Math.max(1, devicePixels(x, x + width, deviceScaleFactor)),
  height: Math.max(1, devicePixels(y, y + height, deviceScaleFactor)),
})

/** Device pixels between two edges in CSS pixels. */
export const devicePixels = (from: number, to: number, deviceScaleFactor: number): number =>
  Math.round(to * deviceScaleFactor) - Math.round(from * deviceScaleFactor)

/** 0..1: how much a screenshot must be scaled down for the finished image to keep the limits. */
export function scaleToFit(
  { width, height }: Size,
  { maxSide, maxPixels = Infinity, overlay = { width: 0, height: 0 } }: ImageLimits,
): number {
  const [totalWidth, totalHeight] = [width + overlay.width, height + overlay.height]
  return Math.min(1, maxSide / totalWidth, maxSide / totalHeight, Math.sqrt(maxPixels / (totalWidth * totalHeight)))
}

/** The smallest box of whole CSS pixels that contains another. */
export function roundOutward({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x + TOLERANCE_PX), Math.floor(y + TOLERANCE_PX)]
  return {
    x: left,
    y: top,
    width: Math.ceil(x + width - TOLERANCE_PX) - left,
    height: Math.ceil(y + height - TOLERANCE_PX) - top,
  }
}

/** Whether all edges of a box lie on whole CSS pixels. */
export const hasWholeEdges = ({ x, y, width, height }: Box): boolean =>
  [x, y, x + width, y + height].every((edge) => Math.abs(edge - Math.round(edge)) < TOLERANCE_PX)
