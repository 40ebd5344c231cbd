import { isTag, type AnyNode, type Document, type Element } from 'domhandler'
import { parse } from 'parse5'
import { adapter } from 'parse5-htmlparser2-tree-adapter'
import { TextDecoder } from 'node:util'
import { PageError } from '../../query/index.js'
import { declaredDecoder, decodeText } from '../../server/charset.js'

/** A replacement of a part of a page; both places are offsets in its text. */
export interface Edit {
  start: number
  end: number
  html: string
}

/** The text of a page, and a function that changes parts of it and nothing else. */
interface PageText<Html> {
  text: string
  /** Replaces parts that do not overlap; they are in the order of the page. */
  replace: (edits: readonly Edit[]) => Html
}

/** Characters at the start of a page in which a charset is declared. */
const MAX_HEAD_CHARS = 8_192
/** Encodings in which a byte below 128 is not always the character of ASCII. */
const NOT_ASCII = /^(utf-16|iso-2022|replacement)/

/**
 * Decodes a page by its byte order mark, its `<meta charset>`, or else as UTF-8.
 *
 * @throws  {PageError} `EINVALQUERY` for an encoding that is not a superset of ASCII.
 */
export function decodePage<Html extends string | Uint8Array>(html: Html): PageText<Html>
export function decodePage(html: string | Uint8Array): PageText<string | Uint8Array> {
  const declared = declaredDecoder(typeof html === 'string' ? Buffer.from(html.slice(0, MAX_HEAD_CHARS)) : html)
  // Without a declared charset browsers may not decode a page as UTF-8, but character references work in every encoding.
  const toText = declared?.encoding === 'utf-8' ? (edit: string) => edit : toAscii
  if (typeof html === 'string') return { text: html, replace: (edits) => replaceText(html, edits, toText) }
  const decoder = declared ?? new TextDecoder('utf-8')
  if (NOT_ASCII.test(decoder.encoding)) throw unreadable(`it is encoded as ${decoder.encoding}; save it as UTF-8`)
  const text = decodeText(html, decoder)
  return { text, replace: (edits) => replaceBytes(html, text, edits, (edit) => Buffer.from(toText(edit))) }
}

function replaceText(text: string, edits: readonly Edit[], toText: (html: string) => string): string {
  let end = 0
  const parts = edits.flatMap((edit) => {
    const before = text.slice(end, edit.start)
    end = edit.end
    return [before, toText(edit.html)]
  })
  return [...parts, text.slice(end)].join('')
}

function replaceBytes(
  bytes: Uint8Array,
  text: string,
  edits: readonly Edit[],
  toBytes: (html: string) => Uint8Array,
): Uint8Array {
  const byteOffset = byteOffsets(bytes, text)
  let end = 0
  const parts = edits.flatMap((edit) => {
    const before = bytes.subarray(end, byteOffset(edit.start))
    end = byteOffset(edit.end)
    return [before, toBytes(edit.html)]
  })
  return new Uint8Array(Buffer.concat([...parts, bytes.subarray(end)]))
}

/**
 * Finds the byte of an offset in the text, for offsets at a tag or in the ASCII characters after its `<`. In every
 * superset of ASCII `<` and `>` are single bytes that occur in no other character, so they show where text and bytes
 * correspond, even if the decoding has lost others.
 *
 * @throws  {PageError} `EINVALQUERY` if they do not correspond, because bytes are invalid in the encoding of the page.
 */
function byteOffsets(bytes: Uint8Array, text: string): (offset: number) => number {
  const inText = bracketOffsets(text.length, (i) => text.charCodeAt(i))
  const inBytes = bracketOffsets(bytes.length, (i) => bytes[i]!)
  let next = 0
  return (offset) => {
    while (next < inText.length && inText[next]! <= offset) next++
    const bracket = inText[next - 1]
    const between = bracket === undefined ? undefined : text.slice(bracket, offset)
    if (inText.length !== inBytes.length || between === undefined || !isAscii(between))
      throw unreadable('some of its bytes are invalid in its encoding; save it as UTF-8')
    return inBytes[next - 1]! + between.length
  }
}

function bracketOffsets(length: number, codeAt: (offset: number) => number): number[] {
  const offsets: number[] = []
  for (let i = 0; i < length; i++) {
    const code = codeAt(i)
    if (code === 0x3c || code === 0x3e) offsets.push(i)
  }
  return offsets
}

const isAscii = (text: string) => Buffer.byteLength(text) === text.length

/**
 * Writes all other characters as character references, which work in every encoding; removes control characters, whose references
 * mean other characters.
 */
const toAscii = (html: string) =>
  html.replace(/[\u0080-\u009f]/g, '').replace(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`)

const unreadable = (reason: string) =>
  new PageError('EINVALQUERY', `The page was left as it is, because ${reason}.`, { data: { html: reason } })

interface Limits {
  maxChars: number
  /** Browsers themselves stop nesting elements at 512. */
  maxDepth: number
  /** Unclosed formatting elements multiply: each paragraph after them contains them all. */
  maxElements: number
  maxMs: number
}

const LIMITS: Limits = { maxChars: 10_000_000, maxDepth: 1_000, maxElements: 1_000_000, maxMs: 60_000 }
/** How many elements are created between two readings of the clock. */
const CLOCK_INTERVAL = 1_024

/**
 * Parses a page into the same tree as a browser, with the position of each element in the text.
 *
 * @throws  {PageError} `ETOOLARGE` for a page that is too long, too deep or takes too long.
 */
export function parsePage(text: string, limits: Partial<Limits> = {}): Document {
  const all = { ...LIMITS, ...limits }
  if (text.length > all.maxChars) throw tooLarge(`it has more than ${all.maxChars} characters`)
  return parse(text, { sourceCodeLocationInfo: true, treeAdapter: limitedAdapter(all) })
}

function limitedAdapter({ maxDepth, maxElements, maxMs }: Limits): typeof adapter {
  const deadline = performance.now() + maxMs
  let elements = 0
  let depth = 0
  return {
    ...adapter,
    createElement(...element) {
      if (++elements > maxElements) throw tooLarge(`it has more than ${maxElements} elements`)
      if (elements % CLOCK_INTERVAL === 0 && performance.now() > deadline)
        throw tooLarge(`parsing it takes longer than ${maxMs / 1_000} s`)
      return adapter.createElement(...element)
    },
    onItemPush() {
      if (++depth > maxDepth) throw tooLarge(`its elements are nested more than ${maxDepth} deep`)
    },
    onItemPop() {
      depth--
    },
  }
}

const tooLarge = (reason: string) => new PageError('ETOOLARGE', `The page was left as it is, because ${reason}.`)

/** All elements in document order, without recursion: pages may be deep. */
export function elementsOf(root: AnyNode): Element[] {
  const elements: Element[] = []
  const stack: AnyNode[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isTag(node)) elements.push(node)
    if ('children' in node) for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!)
  }
  return elements
}

/** The ancestors of an element, from its parent to the root. */
export function ancestorsOf(element: Element): Element[] {
  const ancestors: Element[] = []
  for (let { parent } = element as { parent: AnyNode | null }; parent; parent = parent.parent as AnyNode | null)
    if (isTag(parent)) ancestors.push(parent)
  return ancestors
}

/** The position of an element in the text of its page, as offsets. */
export interface SourceRange {
  start: number
  /** Start of what is between its tags. */
  contentStart: number
  contentEnd: number
  end: number
}

/** The range of an element, or the reason why it cannot be replaced without changing anything else. */
type FindRange = (element: Element) => SourceRange | { reason: string }

/**
 * Prepares finding the ranges of elements of a page.
 *
 * @param elements  All elements of the document.
 */
export function sourceRanges(document: Document, elements: readonly Element[]): FindRange {
  const allStarts = startOffsets(document).toSorted((a, b) => a - b)
  const countBelow = (offset: number) => lowerBound(allStarts, offset)
  const unclosedLinks = startsAfterUnclosedLink(elements)
  return (element) => {
    const { startOffset, endOffset, startTag, endTag } = element.sourceCodeLocation ?? {}
    if (startOffset === undefined || endOffset === undefined || !startTag || !endTag)
      return { reason: `The preview has no end tag: close it with </${element.name}>.` }
    if (ancestorsOf(element).some(({ name }) => name === 'a'))
      return { reason: 'The preview is in a link, but its card contains a link too: move the preview out of the link.' }
    if (unclosedLinks.has(startOffset))
      return {
        reason: 'The link before the preview has no end tag, so it would contain the card: close the link with </a>.',
      }
    const range = {
      start: startOffset,
      contentStart: startTag.endOffset,
      contentEnd: endTag.startOffset,
      end: endOffset,
    }
    const inside = startOffsets(element).filter((start) => start !== startOffset)
    const isWhole =
      inside.every((start) => start >= range.contentStart && start < range.contentEnd) &&
      countBelow(range.end) - countBelow(range.contentStart) === inside.length
    return isWhole
      ? range
      : { reason: 'The tags of the preview overlap with another element: close each element before its parent.' }
  }
}

/**
 * The positions of links that directly follow an unclosed link. Such a link ends the unclosed one, but its card would not: it would
 * be inside the unclosed link.
 */
function startsAfterUnclosedLink(elements: readonly Element[]): Set<number> {
  const isClosed = new Map<number, boolean>()
  for (const { name, sourceCodeLocation } of elements)
    if (name === 'a' && sourceCodeLocation) {
      const { startOffset, endTag } = sourceCodeLocation
      isClosed.set(startOffset, isClosed.get(startOffset) === true || Boolean(endTag))
    }
  const starts = [...isClosed.keys()].toSorted((a, b) => a - b)
  return new Set(starts.filter((_, index) => index > 0 && !isClosed.get(starts[index - 1]!)))
}

/** Where the nodes start that are written in the page; a parser adds others. */
function startOffsets(root: AnyNode): number[] {
  const offsets: number[] = []
  const stack: AnyNode[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.sourceCodeLocation) offsets.push(node.sourceCodeLocation.startOffset)
    if ('children' in node) for (const child of node.children) stack.push(child)
  }
  return offsets
}

/** How many of the sorted numbers are less. */
function lowerBound(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
