import type { AnyNode, Document, Element } from 'domhandler'
import { ancestorsOf } from './find-elements.js'

/** The position of an element in the text of its page, as offsets. */
export interface SourceRange {
  start: number
  /** Start of what is between its tags. */
  contentStart: number
  contentEnd: number
  end: number
}

/** The range of an element, or the reason why it cannot be replaced without changing anything else. */
export type FindRange = (element: Element) => SourceRange | { reason: string }

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
      return { reason: `It has no end tag of its own: close it with </${element.name}>.` }
    if (ancestorsOf(element).some(({ name }) => name === 'a'))
      return { reason: 'It is in a link, which cannot contain the link of a card: move it out.' }
    if (unclosedLinks.has(startOffset))
      return { reason: 'The link before it has no end tag, and would contain its card: close that with </a>.' }
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
      : { reason: 'Its tags overlap with those of another element: close each element where it was opened.' }
  }
}

/**
 * Where links start that directly follow an unclosed one. They end it where they start, but their card would not: it would be
 * inside of that link.
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
