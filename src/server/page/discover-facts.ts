import type { PageQuery } from '../../query/index.js'
import type { Pinger } from './create-pinger.js'
import type { Candidates } from './find-candidates.js'
import { iconSize } from './icon-size.js'
import type { PageFacts, PageIcon } from './page-facts.js'
import { hasAmpleIcon } from './rules/index.js'
import { tidyValue } from './tidy-value.js'
import { isPinged, isWanted } from './wanted-fields.js'

const OEMBED_FIELDS = ['title', 'author', 'publisher', 'image'] as const
const MAX_MANIFEST_ICONS = 30

/**
 * Asks for the documents about itself that a page names, where it says too little without them: its web app manifest for icons,
 * its oEmbed document for fields that are missing. Only for fields that are wanted and pinged.
 *
 * @returns  `facts` themselves when nothing was found.
 */
export async function discoverFacts(
  facts: PageFacts,
  candidates: Candidates,
  { query, pinger }: { query: PageQuery; pinger: Pinger },
): Promise<PageFacts> {
  const isAsked = (field: (typeof OEMBED_FIELDS)[number] | 'logo') => isWanted(query, field) && isPinged(query, field)
  const manifestUrl = isAsked('logo') && !hasAmpleIcon(facts) ? findManifest(facts) : undefined
  const isMissing = OEMBED_FIELDS.some((field) => isAsked(field) && !candidates[field].length)
  const oembedUrl = isMissing ? findOembed(facts) : undefined
  const [manifest, oembed] = await Promise.all([
    manifestUrl ? pinger.readJson(manifestUrl) : undefined,
    oembedUrl ? pinger.readJson(oembedUrl) : undefined,
  ])
  if (!isProperties(manifest) && !isProperties(oembed)) return facts
  return {
    ...facts,
    manifestIcons: isProperties(manifest) && manifestUrl ? readIcons(manifest, manifestUrl) : [],
    oembed: isProperties(oembed) ? readTexts(oembed) : new Map(),
  }
}

function findManifest(facts: PageFacts): string | undefined {
  const link = facts.links.find(({ rels }) => rels.includes('manifest'))
  return link && tidyValue('url', link.href, facts)
}

function findOembed(facts: PageFacts): string | undefined {
  const link = facts.links.find(({ type }) => type === 'application/json+oembed')
  return link && tidyValue('url', link.href, facts)
}

/** https://www.w3.org/TR/appmanifest/#icons-member */
function readIcons({ icons }: Properties, manifestUrl: string): PageIcon[] {
  if (!Array.isArray(icons)) return []
  return icons.slice(0, MAX_MANIFEST_ICONS).flatMap((icon: unknown): PageIcon[] => {
    if (!isProperties(icon) || typeof icon.src !== 'string' || !URL.canParse(icon.src, manifestUrl)) return []
    const { sizes = '', purpose = 'any' } = icon
    // A mask has no colours, and a maskable one much margin.
    if (typeof purpose === 'string' && !purpose.toLowerCase().split(/\s+/).includes('any')) return []
    const { href } = new URL(icon.src, manifestUrl)
    return [{ href, ...iconSize(typeof sizes === 'string' ? sizes : '', href) }]
  })
}

const readTexts = (document: Properties) =>
  new Map(Object.entries(document).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

type Properties = Readonly<Record<string, unknown>>

const isProperties = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
