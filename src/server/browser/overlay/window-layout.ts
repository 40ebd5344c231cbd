import type { Size } from '../screenshot-geometry.js'

/** The positions of a screenshot and the browser window around it, in pixels of the finished image. */
export interface WindowLayout {
  /** Size of the finished image. */
  width: number
  height: number
  /** Position of the screenshot in the finished image. */
  left: number
  top: number
  /** Height of the title bar above the screenshot; 0 without a window. */
  barHeight: number
  /** Radius of the corners. */
  radius: number
  /** Pixels per unit of the design, which is drawn for screenshots 1,120 CSS pixels wide. */
  unit: number
}

const DESIGN_WIDTH = 1_120
const PADDING_UNITS = 84
const BAR_UNITS = 46
const RADIUS_UNITS = 13
const [MIN_SCALE, MAX_SCALE] = [0.5, 1.3]

/**
 * @param screenshot  Its size in pixels.
 * @param factor      Pixels per CSS pixel.
 */
export function windowLayout(
  { width, height }: Size,
  { factor, hasWindow }: { factor: number; hasWindow: boolean },
): WindowLayout {
  const unit = factor * Math.min(MAX_SCALE, Math.max(MIN_SCALE, width / factor / DESIGN_WIDTH))
  const padding = Math.round(PADDING_UNITS * unit)
  const barHeight = hasWindow ? Math.round(BAR_UNITS * unit) : 0
  return {
    width: width + 2 * padding,
    height: height + barHeight + 2 * padding,
    left: padding,
    top: padding + barHeight,
    barHeight,
    radius: Math.round(RADIUS_UNITS * unit),
    unit,
  }
}
