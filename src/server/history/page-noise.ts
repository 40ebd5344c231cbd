import type { PageBlock } from '../browser/index.js'
import type { Difference } from './compare-captures.js'

/** Selectors that a page may have; the first ones that were found are forgotten first. */
const MAX_SELECTORS = 200

/** Whether a difference is in a part of the page that is never the same, or in a frame of another site. */
export function isNoise({ before, now }: Difference, selectors: ReadonlySet<string>): boolean {
  const isIn = (block: PageBlock) =>
    block.isForeign || [block.element, block.group, ...around(block)].some((name) => name && selectors.has(name))
  return [before, now].some((block) => block && isIn(block))
}

/**
 * Selectors of what differs between two captures that are seconds apart: the elements, the small things that they are parts of, such as
 * a clock, and the largest elements in which nothing stayed the same, such as the box of an advert.
 *
 * @param stable  The blocks of both captures that do not differ.
 */
export function noiseSelectors(differences: readonly Difference[], stable: readonly PageBlock[]): string[] {
  const stableAncestors = new Set(stable.flatMap(around))
  const blocks = differences.flatMap(({ before, now }) => [before, now].filter((block) => block !== undefined))
  return blocks.flatMap((block) => {
    const { element, group } = block
    const unstable = around(block).find((ancestor) => !stableAncestors.has(ancestor))
    return [element, ...(group ? [group] : []), ...(unstable ? [unstable] : [])]
  })
}

/** The selectors with those that were found now, each once. */
export const addNoise = (known: readonly string[], found: readonly string[]): string[] =>
  [...new Set([...known, ...found])].slice(-MAX_SELECTORS)

/** No part of a page. */
const WHOLE_PAGE = /^(html|body|main)(\W|$)[^>]*$|^body > main[^>]*$/

/** Selectors of the elements around a block, as far as its own names them: the outermost first. */
function around({ element }: PageBlock): string[] {
  const steps = element.split(' > ')
  const ancestors = steps.slice(1).map((_, index) => steps.slice(0, index + 1).join(' > '))
  return ancestors.filter((ancestor) => !WHOLE_PAGE.test(ancestor))
}
