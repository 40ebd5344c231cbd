import { domainToUnicode } from 'node:url'

/** Where things are around a capture, in pixels of the picture. */
export interface Frame {
  /** Of the whole picture. */
  width: number
  height: number
  /** Of the capture within it. */
  left: number
  top: number
  /** Of the title bar, above the capture; 0 without a window. */
  bar: number
  /** Of the corners. */
  radius: number
  /** Pixels per unit of the drawing, which is made for captures that are 1,120 CSS pixels wide. */
  unit: number
}

const USUAL_WIDTH = 1_120
const PADDING = 84
const BAR = 46
const RADIUS = 13

/**
 * @param picture  Of the capture, in pixels.
 * @param factor   Pixels per CSS pixel.
 */
export function frameAround(
  { width, height }: { width: number; height: number },
  { factor, hasWindow }: { factor: number; hasWindow: boolean },
): Frame {
  const unit = factor * Math.min(1.3, Math.max(0.5, width / factor / USUAL_WIDTH))
  const padding = Math.round(PADDING * unit)
  const bar = hasWindow ? Math.round(BAR * unit) : 0
  return {
    width: width + 2 * padding,
    height: height + bar + 2 * padding,
    left: padding,
    top: padding + bar,
    bar,
    radius: Math.round(RADIUS * unit),
    unit,
  }
}

/** As people know it, at most so long as a title bar has room for. */
export function hostOf(url: string): string {
  const { hostname, port } = new URL(url)
  const name = (domainToUnicode(hostname) || hostname).replace(/^www\./, '')
  return port ? `${name}:${port}` : name
}
