/** An open element whose text is being collected. */
interface OpenText {
  depth: number
  text: string
  /** Whether a line break marks where elements begin and end. */
  hasLines: boolean
  /** Whether its text is complete at the end of a line, before the element ends. */
  isComplete?: ((text: string) => boolean) | undefined
  /** The name within a microdata item; replaces the text of the whole item. */
  itemName?: string
  onClose: (text: string) => void
}

const MAX_OPEN_TEXTS = 30
const MAX_TEXT_CHARS = 2_000

const LINE_TAGS = new Set(
  'address article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr img li ol p section table td th time tr ul'.split(
    ' ',
  ),
)
/** Elements within a line that are not part of the text before them. */
const INLINE = new Set(['img', 'time'])
/** Elements that are parts of a word. */
const WITHIN_WORD = new Set(['ruby', 'rb', 'rp', 'rt', 'rtc', 'wbr'])

/** Whether an element begins and ends a line. */
export const isLineTag = (name: string): boolean => LINE_TAGS.has(name) && !INLINE.has(name)

/** Marks the edge of an inline element until the text is complete. */
const EDGE = '\uE000'

/** A link to the heading that contains it. */
const PERMALINK = /^\s*[#¶§🔗]\s*$/u
const MAX_PERMALINK_CHARS = 4

/** Collects the texts of elements, which may be nested. */
export class TextCollector {
  readonly #open: OpenText[] = []

  /** Begins to collect the text of an element. @returns  `false` when too many are open; then `onClose` is never called. */
  open(
    depth: number,
    onClose: OpenText['onClose'],
    { hasLines = false, isComplete }: Partial<Pick<OpenText, 'hasLines' | 'isComplete'>> = {},
  ): boolean {
    if (this.#open.length >= MAX_OPEN_TEXTS) return false
    // Those that close first must be last; an element that began earlier may be added later.
    const at = this.#open.findLastIndex((open) => open.depth <= depth)
    this.#open.splice(at + 1, 0, { depth, text: '', hasLines, isComplete, onClose })
    return true
  }

  /** Marks the beginning or end of an element within the open ones. */
  addEdge(name: string): void {
    if (!this.#open.length || WITHIN_WORD.has(name)) return
    const isLine = LINE_TAGS.has(name)
    if (isLineTag(name)) this.#closeComplete()
    for (const open of this.#open)
      if (open.text.length < MAX_TEXT_CHARS && (isLine || open.hasLines)) open.text += isLine ? '\n' : EDGE
  }

  addText(text: string): void {
    if (!this.#open.length || (text.length <= MAX_PERMALINK_CHARS && PERMALINK.test(text))) return
    for (const open of this.#open) {
      if (open.text.length >= MAX_TEXT_CHARS) continue
      // Line breaks in the source do not break lines.
      open.text += open.hasLines ? text.slice(0, MAX_TEXT_CHARS).replace(/[\r\n\t]/g, ' ') : text
    }
  }

  /** Names the innermost open element, which is a microdata item. */
  nameItem(name: string): void {
    const open = this.#open.at(-1)
    if (open && name.trim()) open.itemName ??= name
  }

  /** Ends the texts that began at this depth or below it. */
  close(depth: number): void {
    while (this.#open.length && this.#open.at(-1)!.depth >= depth) this.#closeLast()
  }

  #closeComplete(): void {
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const { isComplete, text } = this.#open[at]!
      if (isComplete?.(text)) this.#close(this.#open.splice(at, 1)[0]!)
    }
  }

  #closeLast(): void {
    this.#close(this.#open.pop()!)
  }

  #close({ itemName, text, hasLines, onClose }: OpenText): void {
    onClose(itemName ?? (hasLines ? toLines(text) : text).slice(0, MAX_TEXT_CHARS))
  }
}

/** The edge of an inline element separates words only if there is no space. */
function toLines(text: string): string {
  let lines = ''
  for (const part of text.slice(0, MAX_TEXT_CHARS).split(EDGE)) {
    const isGlued = WORD.test(lines.slice(-1)) && WORD.test(part.charAt(0))
    lines += isGlued ? `\n${part}` : part
  }
  return lines
}

const WORD = /[\p{L}\p{N}]/u
