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

/** The part of a box that lies in another; a side of 0 or less when there is none. */
export function intersection(box: Box, other: Box): Box {
  const [x, y] = [Math.max(box.x, other.x), Math.max(box.y, other.y)]
  return {
    x,
    y,
    width: Math.min(box.x + box.width, other.x + other.width) - x,
    height: Math.min(box.y + box.height, other.y + other.height) - y,
  }
}

/** Extends a box by `padding` on each side, within the document; never smaller than the box itself. */
export function padBox({ x, y, width, height }: Box, padding: number, document: Box): Box {
  const left = Math.min(x, Math.max(document.x, x - padding))
  const top = Math.min(y, Math.max(document.y, y - padding))
  const right = Math.max(x + width, Math.min(document.x + document.width, x + width + padding))
  const bottom = Math.max(y + height, Math.min(document.y + document.height, y + height + padding))
  return { x: left, y: top, width: right - left, height: bottom - top }
}
