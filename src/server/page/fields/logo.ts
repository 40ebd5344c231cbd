import { isJsonObject, iconSize, type JsonObject, type MetadataSources, type PageIcon } from '../document/index.js'
import type { VerifiedUrl } from '../ping.js'
import { bodyProperty, mainEntity, meta, organisation, pageNode, rule, type Rule } from './rule.js'
import { resolveUrl } from '../values/index.js'

/** A square icon of this size is a better logo than a wide image with the name of the publisher. */
const LARGE_PX = 64
/** The size from which a manifest rarely has a better icon. */
const HIGH_RESOLUTION_PX = 128
/** A smaller image stands for no icon at all. */
const MIN_PX = 8
const MAX_MANIFEST_ICONS = 30

/** Assumed for an icon without a declared size. */
const DEFAULT_PX: ReadonlyMap<string, number> = new Map([
  ['fluid-icon', 512],
  ['apple-touch-icon', 180],
  ['apple-touch-icon-precomposed', 180],
  ['icon', 32],
])

/** Square icons that are large enough for a logo, largest first. */
const largeIcons: Rule = rule('large icon', (sources) =>
  hrefs(sortIcons(sources).filter((icon) => !icon.isForDark && isLarge(icon, LARGE_PX))),
)

/** All other icons, square ones first, and last those that are declared for a dark background: most cards are light. */
const smallIcons: Rule = rule('small icon', (sources) => {
  const icons = sortIcons(sources).filter((icon) => icon.isForDark || !isLarge(icon, LARGE_PX))
  return hrefs(icons.toSorted((one, other) => Number(one.isForDark) - Number(other.isForDark)))
})

/** Browsers request it unless the page declares an icon, which may be an empty one: `data:,`. */
const defaultIcon: Rule = rule('/favicon.ico', ({ url, links }) =>
  links.some(({ rels, href }) => rels.includes('icon') && /^\s*data:/i.test(href))
    ? []
    : [new URL('/favicon.ico', url).href],
)

export const logoRules: readonly Rule[] = [
  meta('og:logo', 'logo'),
  largeIcons,
  mainEntity('publisher', 'logo', 'url'),
  mainEntity('publisher', 'logo'),
  organisation('logo', 'url'),
  organisation('logo'),
  pageNode(/./, 'publisher', 'logo', 'url'),
  smallIcons,
  meta('msapplication-tileimage'),
  bodyProperty('logo'),
  defaultIcon,
]

/** Whether an image can be an icon. */
export const isIcon = ({ width, height }: VerifiedUrl): boolean =>
  (width ?? MIN_PX) >= MIN_PX && (height ?? MIN_PX) >= MIN_PX

/** Whether the page itself declares an icon that the manifest would hardly improve on. */
export const hasHighResolutionIcon = (sources: MetadataSources): boolean =>
  sortIcons(sources).some((icon) => isLarge(icon, HIGH_RESOLUTION_PX))

/** Whether a link declares an icon, other than one for pinned tabs, which has no colours. */
export const declaresIcon = ({ rels }: MetadataSources['links'][number]): boolean =>
  !rels.includes('mask-icon') && rels.some((rel) => DEFAULT_PX.has(rel))

interface DeclaredIcon extends PageIcon {
  /** Whether it is declared for the dark colour scheme only. */
  isForDark: boolean
}

/** The size of a touch icon without one, beside others with theirs: that of the first phones. */
const FIRST_TOUCH_ICON_PX = 57
const TOUCH_ICON = /^apple-touch-icon/

function sortIcons({ links, manifestIcons }: MetadataSources): DeclaredIcon[] {
  const isTouchIcon = (rels: readonly string[]) => rels.some((rel) => TOUCH_ICON.test(rel))
  const hasSizes = links.some(({ rels, size }) => size > 0 && isTouchIcon(rels))
  const declared = links.filter(declaresIcon).map(({ rels, href, media, size, isSquare }) => {
    const relPx = rels.map((rel) => DEFAULT_PX.get(rel)).find((px) => px !== undefined)
    const defaultPx = hasSizes && isTouchIcon(rels) ? FIRST_TOUCH_ICON_PX : (relPx ?? 0)
    return { href, size: size || defaultPx, isSquare, isForDark: FOR_DARK.test(media) }
  })
  return [...declared, ...manifestIcons.map((icon) => ({ ...icon, isForDark: false }))].toSorted(
    (one, other) => Number(other.isSquare) - Number(one.isSquare) || other.size - one.size,
  )
}

const FOR_DARK = /^(?!.{0,40}\bnot\b).{0,80}prefers-color-scheme\s*:\s*dark/i

const isLarge = ({ size, isSquare }: PageIcon, px: number) => isSquare && size >= px
const hrefs = (icons: readonly PageIcon[]) => icons.map(({ href }) => href)

/** The icons of a web app manifest: https://www.w3.org/TR/appmanifest/#icons-member */
export function manifestIcons({ icons }: JsonObject, manifestUrl: string): PageIcon[] {
  if (!Array.isArray(icons)) return []
  return icons.slice(0, MAX_MANIFEST_ICONS).flatMap((icon: unknown): PageIcon[] => {
    if (!isJsonObject(icon) || typeof icon.src !== 'string') return []
    const { sizes = '', purpose = 'any' } = icon
    // A monochrome icon has no colours, and a maskable one has a wide margin.
    if (typeof purpose === 'string' && !purpose.toLowerCase().split(/\s+/).includes('any')) return []
    const href = resolveUrl(icon.src, { baseUrl: manifestUrl, url: manifestUrl })
    if (href === undefined) return []
    return [{ href, ...iconSize(typeof sizes === 'string' ? sizes : '', href) }]
  })
}
