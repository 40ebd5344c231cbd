import type { MetadataSources, PageIcon } from '../document/index.js'
import { rule, type Rule } from './rule.js'

/** A square icon of this size is a better logo than a wide image with the name of the publisher. */
const LARGE_PX = 64
/** The size from which a manifest rarely has a better icon. */
const HIGH_RESOLUTION_PX = 128

/** Assumed for an icon without a declared size. */
const DEFAULT_PX: Readonly<Record<string, number>> = {
  'fluid-icon': 512,
  'apple-touch-icon': 180,
  'apple-touch-icon-precomposed': 180,
  icon: 32,
}

/** Square icons that are large enough for a logo, largest first. */
export const largeIcons: Rule = rule('large icon', (sources) =>
  hrefs(sortIcons(sources).filter((icon) => isLarge(icon, LARGE_PX))),
)

/** All other icons, square ones first. */
export const smallIcons: Rule = rule('small icon', (sources) =>
  hrefs(sortIcons(sources).filter((icon) => !isLarge(icon, LARGE_PX))),
)

/** Whether the page itself declares an icon that the manifest would hardly improve on. */
export const hasHighResolutionIcon = (sources: MetadataSources): boolean =>
  sortIcons(sources).some((icon) => isLarge(icon, HIGH_RESOLUTION_PX))

function sortIcons({ links, manifestIcons }: MetadataSources): PageIcon[] {
  const declared = links
    .filter(({ rels }) => !rels.includes('mask-icon'))
    .flatMap(({ rels, href, size, isSquare }) => {
      const iconRel = rels.find((rel) => Object.hasOwn(DEFAULT_PX, rel))
      return iconRel === undefined ? [] : [{ href, size: size || (DEFAULT_PX[iconRel] ?? 0), isSquare }]
    })
  return [...declared, ...manifestIcons].toSorted(
    (one, other) => Number(other.isSquare) - Number(one.isSquare) || other.size - one.size,
  )
}

const isLarge = ({ size, isSquare }: PageIcon, px: number) => isSquare && size >= px
const hrefs = (icons: readonly PageIcon[]) => icons.map(({ href }) => href)
