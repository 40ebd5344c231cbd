import { MAX_BLOCKS, type PageBlock } from '../browser/index.js'
import type { BlockPair } from '../images/index.js'

/** A captured page, as far as it is compared. */
export interface ComparedCapture {
  /** The file of the screenshot. */
  image: Uint8Array
  /** Its pixels. */
  width: number
  height: number
  /** What it shows, in CSS pixels of the document. */
  area: Box
  blocks: readonly PageBlock[]
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A block that is not the same in two captures: it has changed, or only one of them has it. */
export type Difference =
  | { before: PageBlock; now: PageBlock }
  | { before: PageBlock; now?: undefined }
  | { before?: undefined; now: PageBlock }

/**
 * The share of pixels that differ visibly in each pair of boxes, from 0 to 1; see `Images.compareBlocks`.
 *
 * @param pairs  In image pixels.
 */
export type ComparePixels = (pairs: BlockPair[]) => Promise<number[]>

/** Smoothing of text at another fraction of a pixel stays below it. */
const TEXT_SHARE = 0.04
/** Pictures and everything else without text. */
const PICTURE_SHARE = 0.01
/** Boxes of pictures that differ less, in CSS pixels, have the same size. */
const SIZE_TOLERANCE = 2
/** Pictures that are compared with others because their elements have no partner. */
const MAX_GUESSES = 200

/** What two captures have in common, and what not. */
export interface Comparison {
  /** From top to bottom. */
  differences: Difference[]
  /** The blocks that are the same, as the later capture has them. */
  same: PageBlock[]
}

/**
 * Finds the blocks that are not the same in two captures. Where a block is does not count: a page that only moves, because something
 * above it has grown, has not changed.
 */
export async function compareCaptures(
  before: ComparedCapture,
  now: ComparedCapture,
  comparePixels: ComparePixels,
): Promise<Comparison> {
  const rest = { before: new Set(before.blocks), now: new Set(now.blocks) }
  const same: Pair[] = []
  const take = (pair: Pair, pairs: Pair[]) => {
    rest.before.delete(pair.before)
    rest.now.delete(pair.now)
    pairs.push(pair)
  }
  const differ = async (pairs: readonly Pair[]) => {
    // A text in another box is only broken into other lines.
    const compared = pairs.filter((pair) => !pair.now.text || hasSameSize(pair.before, pair.now))
    const boxes = compared.map((pair) => ({ first: inPixels(pair.before, before), second: inPixels(pair.now, now) }))
    const shares = boxes.length > 0 ? await comparePixels(boxes) : []
    const limitOf = ({ now: { text } }: Pair) => (text ? TEXT_SHARE : PICTURE_SHARE)
    const differing = new Set(compared.filter((pair, index) => shares[index]! > limitOf(pair)))
    return (pair: Pair) => differing.has(pair)
  }

  const candidates = pairByElement(before.blocks, now.blocks).filter(hasSameContent)
  const changed: Pair[] = []
  const isChanged = await differ(candidates)
  for (const pair of candidates) {
    if (!isChanged(pair)) take(pair, same)
    // A picture may be another one at the place of its neighbour.
    else if (pair.now.text) take(pair, changed)
  }

  // An element further up was added or removed, so that the selectors of others name their neighbours.
  for (const pair of pairByText(rest.before, rest.now)) take(pair, same)
  const guesses = pairBySize(rest.before, rest.now)
  const isOther = await differ(guesses)
  for (const pair of guesses)
    if (!isOther(pair) && rest.before.has(pair.before) && rest.now.has(pair.now)) take(pair, same)
  for (const pair of pairByElement([...rest.before], [...rest.now])) take(pair, changed)

  const moves = same
    .map(({ before: { y }, now: block }) => ({ from: y, to: block.y }))
    .toSorted((a, b) => a.from - b.from)
  const paired = new Set([...same, ...changed].flatMap((pair) => [pair.before, pair.now]))
  const removed = [...rest.before].filter(
    (block) =>
      wouldShow(block, shiftAt(block.y, moves, 'from'), now.area) &&
      wouldBeListed(block, before.blocks, now.blocks, paired),
  )
  const added = [...rest.now].filter(
    (block) =>
      wouldShow(block, shiftAt(block.y, moves, 'to'), before.area) &&
      wouldBeListed(block, now.blocks, before.blocks, paired),
  )
  const differences: Difference[] = [
    ...changed,
    ...removed.map((block) => ({ before: block })),
    ...added.map((block) => ({ now: block })),
  ]
  return { differences: differences.toSorted((a, b) => topOf(a) - topOf(b)), same: same.map(({ now: block }) => block) }
}

/** One block in both captures. */
interface Pair {
  before: PageBlock
  now: PageBlock
}

const topOf = ({ before, now }: Difference) => (now ?? before).y

function pairByElement(before: readonly PageBlock[], now: readonly PageBlock[]): Pair[] {
  const byElement = new Map(now.map((block) => [block.element, block]))
  return before.flatMap((block) => {
    const partner = byElement.get(block.element)
    return partner ? [{ before: block, now: partner }] : []
  })
}

/** Pictures of different sizes are not the same. */
function hasSameContent({ before, now }: Pair): boolean {
  if (before.text || now.text) return textOf(before) === textOf(now)
  return hasSameSize(before, now)
}

/** All of its text. */
const textOf = ({ text, textHash = '' }: PageBlock) => text && `${text} ${textHash}`

const hasSameSize = (one: PageBlock, other: PageBlock) =>
  Math.abs(one.width - other.width) <= SIZE_TOLERANCE && Math.abs(one.height - other.height) <= SIZE_TOLERANCE

/** Blocks with the same text, in their order. */
function pairByText(before: Iterable<PageBlock>, now: Iterable<PageBlock>): Pair[] {
  const byText = new Map<string, PageBlock[]>()
  for (const block of now) byText.set(textOf(block), [...(byText.get(textOf(block)) ?? []), block])
  return [...before].flatMap((block) => {
    const partner = block.text ? byText.get(textOf(block))?.shift() : undefined
    return partner ? [{ before: block, now: partner }] : []
  })
}

/** Pictures that may have moved. */
function pairBySize(before: Iterable<PageBlock>, now: Iterable<PageBlock>): Pair[] {
  const pictures = [...now].filter(({ text }) => !text)
  const pairs: Pair[] = []
  for (const block of before) {
    if (block.text) continue
    for (const other of pictures) {
      if (pairs.length === MAX_GUESSES) return pairs
      if (hasSameSize(block, other)) pairs.push({ before: block, now: other })
    }
  }
  return pairs
}

/** By how much the page has moved around a place: as the nearest block above it that is the same. */
function shiftAt(y: number, moves: readonly { from: number; to: number }[], side: 'from' | 'to'): number {
  const above = moves.findLast((move) => move[side] <= y)
  if (!above) return 0
  return side === 'from' ? above.to - above.from : above.from - above.to
}

/** Whether a block that has moved with the page would be in sight: what is cut off at the edge has not gone. */
const wouldShow = ({ y, height }: PageBlock, shift: number, area: Box) =>
  y + shift + Math.min(1, height) > area.y && y + shift + height <= area.y + area.height

/** Whether the other list, which ends after so many blocks, would have this one: others of its page follow that both have. */
const wouldBeListed = (
  block: PageBlock,
  own: readonly PageBlock[],
  other: readonly PageBlock[],
  paired: ReadonlySet<PageBlock>,
) => other.length < MAX_BLOCKS || own.slice(own.indexOf(block)).some((following) => paired.has(following))

const inPixels = ({ x, y, width, height }: PageBlock, { area, ...image }: ComparedCapture): Box => {
  const scale = image.width / area.width
  return { x: (x - area.x) * scale, y: (y - area.y) * scale, width: width * scale, height: height * scale }
}
