import { parse, type DefaultTreeAdapterMap } from 'parse5'

/** What stands in the place of a card in the original; nothing for the stylesheet, the script, and the mark of a link. */
const ORIGINAL_PART = String.raw`(?:<page-preview[^]*<\/page-preview\b[^]*>|<a\b[^]*<\/a\b[^]*>|)`
const MARK = / data-frozen="[^"]*"(?: data-page-preview="hover")?/g

/** Whether a frozen page differs from the original in whole previews and marked links alone. */
export function differsInPreviewsAlone(original: string, frozen: string): boolean {
  const pieces = outsideOf(additions(frozen), frozen).flatMap((piece) => piece.split(MARK))
  const patterns = pieces.map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  return new RegExp(`^${patterns.join(ORIGINAL_PART)}$`, 'i').test(original)
}

/** The elements that freezing has written, as offsets. */
function additions(frozen: string): (readonly [start: number, end: number])[] {
  const ranges = new Map<number, number>()
  const stack: Node[] = [parse(frozen, { sourceCodeLocationInfo: true })]
  for (let node = stack.pop(); node; node = stack.pop()) {
    const { startOffset, endOffset } = node.sourceCodeLocation ?? {}
    const isAdded = isAddition(node) || (node.nodeName === 'page-preview' && hasAttribute(node, 'data-frozen'))
    if (isAdded && startOffset !== undefined && endOffset !== undefined) ranges.set(startOffset, endOffset)
    if ('childNodes' in node && !isAdded) stack.push(...node.childNodes)
  }
  return [...ranges].toSorted(([a], [b]) => a - b)
}

const outsideOf = (ranges: readonly (readonly [number, number])[], text: string) =>
  [...ranges, [text.length, text.length] as const].map(([start], index) =>
    text.slice(ranges[index - 1]?.[1] ?? 0, start),
  )

type Node = DefaultTreeAdapterMap['node']

const hasAttribute = (node: Node, name: string) => 'attrs' in node && node.attrs.some((one) => one.name === name)
const isAddition = (node: Node) =>
  (node.nodeName === 'link' || node.nodeName === 'script') && hasAttribute(node, 'data-frozen')

/** The tree of a page as lines, where previews and links have no content; what freezing adds is left out. */
export function treeOutside(html: string): string[] {
  const lines: string[] = []
  const stack: { node: Node; depth: number }[] = [{ node: parse(html), depth: 0 }]
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node, depth } = item
    if (isAddition(node)) continue
    const isPreview =
      node.nodeName === 'page-preview' || (node.nodeName === 'a' && hasAttribute(node, 'data-page-preview'))
    if ('value' in node && node.nodeName === '#text') {
      const previous = lines.at(-1)
      if (previous?.startsWith(`${depth} #text`)) lines[lines.length - 1] = previous + node.value
      else lines.push(`${depth} #text ${node.value}`)
    } else lines.push(`${depth} ${isPreview ? 'preview' : node.nodeName}`)
    if ('childNodes' in node && !isPreview)
      for (const child of node.childNodes.toReversed()) stack.push({ node: child, depth: depth + 1 })
  }
  return lines
}
