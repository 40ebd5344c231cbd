import type { Attributes } from './metadata-sources.js'
import { isHidden } from './tag-properties.js'

interface FrameSet {
  depth: number
  /** Of the screen. */
  share: number
  /** The part of each of its children, in document order. */
  parts: readonly number[]
  childCount: number
}

interface Frame {
  src: string
  /** Of the screen. */
  share: number
}

const MAX_FRAMES = 20
const MAX_LIST_CHARS = 200
const MAX_PARTS = 20
/** Assumed for lengths in pixels. */
const SCREEN_PX = { cols: 1_000, rows: 700 }
/** A document with more text of its own than a notice is the page itself, whatever its frames show. */
const MAX_TEXT_CHARS = 80
/** Names of frames beside the content. */
const SECONDARY = /nav|menu|top|head|foot|bottom|left|right|side|banner|logo|title|toc|index|\bads?\b/i
/** Names of the frame with the content. */
const MAIN = /main|content|body|haupt|inhalt|cent(?:er|re)|page|text/i
const FULL_LENGTH = /^(?:100%|100v[wh])$/
const FULL_WIDTH_STYLE = /(?:^|[;\s])width\s*:\s*100(?:%|vw)/i
const FULL_HEIGHT_STYLE = /(?:^|[;\s])height\s*:\s*100(?:%|vh)/i
const MAX_STYLE_CHARS = 500

/** Finds the frame that shows the content of a page: the largest one of a frameset, or an `<iframe>` that fills the window. */
export class Frames {
  readonly #open: FrameSet[] = []
  readonly #frames: Frame[] = []
  readonly #fullFrames: string[] = []

  openTag(name: string, attributes: Attributes, depth: number): void {
    if (name === 'frameset') this.#openFrameSet(attributes, depth)
    else if (name === 'frame') this.#addFrame(attributes)
    else if (name === 'iframe' && attributes.src && fillsWindow(attributes)) this.#fullFrames.push(attributes.src)
  }

  closeTag(depth: number): void {
    if (this.#open.at(-1)?.depth === depth) this.#open.pop()
  }

  /**
   * The `src` of the frame.
   *
   * @param textChars  Characters of text beside the frames.
   */
  mainFrame(textChars: number): string | undefined {
    if (textChars > MAX_TEXT_CHARS) return undefined
    const [largest] = this.#frames.toSorted((one, other) => other.share - one.share)
    return largest?.src ?? (this.#fullFrames.length === 1 ? this.#fullFrames[0] : undefined)
  }

  #openFrameSet({ cols, rows }: Attributes, depth: number): void {
    const share = this.#nextShare()
    const columns = partsOf(cols, SCREEN_PX.cols)
    const parts = partsOf(rows, SCREEN_PX.rows).flatMap((row) => columns.map((column) => row * column))
    this.#open.push({ depth, share, parts, childCount: 0 })
  }

  #addFrame({ src, name = '', id = '' }: Attributes): void {
    const share = this.#nextShare()
    if (!src || this.#frames.length >= MAX_FRAMES) return
    const label = `${name} ${id}`
    const weight = MAIN.test(label) ? 2 : SECONDARY.test(label) ? 0.5 : 1
    this.#frames.push({ src, share: share * weight })
  }

  #nextShare(): number {
    const parent = this.#open.at(-1)
    return parent ? parent.share * (parent.parts[parent.childCount++] ?? 0) : 1
  }
}

const fillsWindow = (attributes: Attributes): boolean => {
  const { width = '', height = '', style = '' } = attributes
  const start = style.slice(0, MAX_STYLE_CHARS)
  return (
    !isHidden(attributes) &&
    (FULL_LENGTH.test(width) || FULL_WIDTH_STYLE.test(start)) &&
    (FULL_LENGTH.test(height) || FULL_HEIGHT_STYLE.test(start))
  )
}

/** The parts of `160,*`, `20%,80%` or `*,3*`, which add up to at most 1. */
function partsOf(list: string | undefined, screenPx: number): number[] {
  const lengths = (list ?? '*')
    .slice(0, MAX_LIST_CHARS)
    .split(',', MAX_PARTS)
    .map((length) => length.trim())
  const fixed = lengths.map((length) => {
    const number = Number.parseFloat(length)
    if (length.endsWith('*') || !(number >= 0)) return undefined
    return Math.min(1, number / (length.endsWith('%') ? 100 : screenPx))
  })
  const rest = Math.max(0, 1 - fixed.reduce<number>((sum, part = 0) => sum + part, 0))
  const stars = lengths.map((length) => Math.min(100, Number.parseFloat(length) || 1))
  const starSum = stars.reduce((sum, star, at) => (fixed[at] === undefined ? sum + star : sum), 0)
  return fixed.map((part, at) => part ?? (rest * stars[at]!) / starSum)
}
