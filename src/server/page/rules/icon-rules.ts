import type { PageFacts, PageIcon } from '../page-facts.js'
import type { Rule } from './rule.js'

/** A square of this size is a better logo than a wide picture with the name of the house on it. */
const LARGE_PX = 64
/** From here on a manifest has hardly anything better. */
const AMPLE_PX = 128

/** An icon that names no size has that which its kind usually has. */
const USUAL_PX: Readonly<Record<string, number>> = {
  'fluid-icon': 512,
  'apple-touch-icon': 180,
  'apple-touch-icon-precomposed': 180,
  icon: 32,
}

/** Square ones that can be a logo, largest first. */
export const largeIcons: Rule = (facts) => addresses(findIcons(facts).filter((icon) => isLarge(icon, LARGE_PX)))

/** The others: square ones before wide ones. */
export const smallIcons: Rule = (facts) => addresses(findIcons(facts).filter((icon) => !isLarge(icon, LARGE_PX)))

/** Says whether the page itself names an icon that needs no better one. */
export const hasAmpleIcon = (facts: PageFacts): boolean => findIcons(facts).some((icon) => isLarge(icon, AMPLE_PX))

function findIcons({ links, manifestIcons }: PageFacts): PageIcon[] {
  const declared = links
    .filter(({ rels }) => !rels.includes('mask-icon'))
    .flatMap(({ rels, href, size, isSquare }) => {
      const kind = rels.find((rel) => Object.hasOwn(USUAL_PX, rel))
      return kind === undefined ? [] : [{ href, size: size || (USUAL_PX[kind] ?? 0), isSquare }]
    })
  return [...declared, ...manifestIcons].toSorted(
    (one, other) => Number(other.isSquare) - Number(one.isSquare) || other.size - one.size,
  )
}

const isLarge = ({ size, isSquare }: PageIcon, px: number) => isSquare && size >= px
const addresses = (icons: readonly PageIcon[]) => icons.map(({ href }) => href)
