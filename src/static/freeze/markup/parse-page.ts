import type { Document } from 'domhandler'
import { parse } from 'parse5'
import { adapter } from 'parse5-htmlparser2-tree-adapter'
import { PageError } from '../../../query/index.js'

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
