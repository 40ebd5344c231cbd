import type { Document } from 'domhandler'
import { parse } from 'parse5'
import { adapter } from 'parse5-htmlparser2-tree-adapter'
import { PageError } from '../../../query/index.js'

const MAX_CHARS = 10_000_000
/** Browsers themselves stop nesting elements at 512. */
const MAX_DEPTH = 1_000
/** Unclosed formatting elements multiply: each paragraph after them contains them all. */
const MAX_ELEMENTS = 1_000_000
const MAX_MS = 20_000
/** How many elements are created between two looks at the clock. */
const CLOCK_INTERVAL = 1_024

/**
 * Parses a page into the tree that a browser makes of it, with the place of each element in the text.
 *
 * @throws  {PageError} `ETOOLARGE` for a page that is too long, too deep or takes too long.
 */
export function parsePage(text: string): Document {
  if (text.length > MAX_CHARS) throw tooLarge(`it has more than ${MAX_CHARS} characters`)
  return parse(text, { sourceCodeLocationInfo: true, treeAdapter: limitedAdapter() })
}

function limitedAdapter(): typeof adapter {
  const deadline = performance.now() + MAX_MS
  let elements = 0
  let depth = 0
  return {
    ...adapter,
    createElement(...element) {
      if (++elements > MAX_ELEMENTS) throw tooLarge(`it has more than ${MAX_ELEMENTS} elements`)
      if (elements % CLOCK_INTERVAL === 0 && performance.now() > deadline)
        throw tooLarge(`parsing it takes longer than ${MAX_MS / 1_000} s`)
      return adapter.createElement(...element)
    },
    onItemPush() {
      if (++depth > MAX_DEPTH) throw tooLarge(`its elements are nested more than ${MAX_DEPTH} deep`)
    },
    onItemPop() {
      depth--
    },
  }
}

const tooLarge = (reason: string) => new PageError('ETOOLARGE', `The page was left as it is, because ${reason}.`)
