import type { PageBlock } from '../../../src/server/browser/index.js'
import type { ComparedCapture, ComparePixels } from '../../../src/server/history/compare-captures.js'

/** A block of a made capture; `look` stands for its pixels. */
export interface MadeBlock extends Partial<PageBlock> {
  element: string
  look?: string
}

export interface MadeCapture extends ComparedCapture {
  looks: Map<number, string | undefined>
}

const LINE = 20

/** A capture whose blocks are lines of 20 pixels below each other, unless they say otherwise; one CSS pixel is one image pixel. */
export function madeCapture(blocks: readonly MadeBlock[], height = 1_000): MadeCapture {
  let bottom = 0
  const looks = new Map<number, string | undefined>()
  const placed = blocks.map(({ look, ...block }): PageBlock => {
    const placed = { text: '', x: 0, y: bottom, width: 100, height: LINE, ...block }
    looks.set(placed.y, look)
    bottom = placed.y + placed.height
    return placed
  })
  const area = { x: 0, y: 0, width: 1_000, height }
  return { image: new Uint8Array(), width: 1_000, height, area, blocks: placed, looks }
}

/** Compares the looks of blocks that are in these places. */
export const compareLooks =
  (before: ComparedCapture, now: ComparedCapture): ComparePixels =>
  async (pairs) =>
    pairs.map(({ first, second }) => (lookAt(before, first.y) === lookAt(now, second.y) ? 0 : 1))

const lookAt = (capture: ComparedCapture, y: number) => (capture as MadeCapture).looks.get(y)
