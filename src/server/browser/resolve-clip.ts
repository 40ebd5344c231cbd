import { PageError, type PageQuery } from '../../query/index.js'
import type { Box } from './find-element-box.js'

/**
 * Resolves `screenshot.clip` of a query.
 *
 * @returns  CSS pixels of the page; `undefined` where the query has none.
 * @throws   {PageError} `EINVALQUERY` for a rectangle without width or height.
 */
export function resolveClip({ screenshot }: PageQuery): Box | undefined {
  const clip = typeof screenshot === 'object' ? screenshot.clip : undefined
  if (!clip) return undefined
  const [x = 0, y = 0, width = 0, height = 0] = clip.split(',').map(Number)
  if (width > 0 && height > 0) return { x, y, width, height }
  throw invalidClip('must have a width and a height above 0')
}

/** @param reason  Completes the sentence that begins with the name of the parameter. */
export const invalidClip = (reason: string): PageError =>
  new PageError('EINVALQUERY', `screenshot.clip ${reason}.`, { data: { 'screenshot.clip': reason } })
