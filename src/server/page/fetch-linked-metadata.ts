import type { PageQuery } from '../../query/index.js'
import { iconSize, isJsonObject, type JsonObject, type MetadataSources, type PageIcon } from './document/index.js'
import type { Candidates } from './find-candidates.js'
import type { Pinger } from './ping/index.js'
import { isFieldRequested, isPingRequested } from './requested-fields.js'
import { hasHighResolutionIcon } from './rules/index.js'
import { normaliseValue, type MetadataField } from './values/index.js'

const OEMBED_FIELDS = ['title', 'author', 'publisher', 'image'] as const
const MAX_MANIFEST_ICONS = 30

/**
 * Fetches the metadata documents that a page links to, if they can improve the result: the web app manifest for a larger icon,
 * the oEmbed document for missing fields. Fields that are not requested, or not pinged, never cause a request.
 *
 * @returns  The sources with the content of both; `sources` itself when neither could be read.
 */
export async function fetchLinkedMetadata(
  sources: MetadataSources,
  candidates: Candidates,
  { query, pinger }: { query: PageQuery; pinger: Pinger },
): Promise<MetadataSources> {
  const mayFetch = (field: MetadataField) => isFieldRequested(query, field) && isPingRequested(query, field)
  const needsIcon = mayFetch('logo') && !hasHighResolutionIcon(sources)
  const needsOembed = OEMBED_FIELDS.some((field) => mayFetch(field) && !candidates[field].length)
  const manifestUrl = needsIcon ? findManifestUrl(sources) : undefined
  const oembedUrl = needsOembed ? findOembedUrl(sources) : undefined
  const [manifest, oembed] = await Promise.all([
    manifestUrl ? pinger.fetchJson(manifestUrl) : undefined,
    oembedUrl ? pinger.fetchJson(oembedUrl) : undefined,
  ])
  if (!isJsonObject(manifest) && !isJsonObject(oembed)) return sources
  return {
    ...sources,
    manifestIcons: isJsonObject(manifest) && manifestUrl ? readIcons(manifest, manifestUrl) : [],
    oembed: isJsonObject(oembed) ? readStrings(oembed) : new Map(),
  }
}

function findManifestUrl(sources: MetadataSources): string | undefined {
  const link = sources.links.find(({ rels }) => rels.includes('manifest'))
  return link && normaliseValue('url', link.href, sources)
}

function findOembedUrl(sources: MetadataSources): string | undefined {
  const link = sources.links.find(({ type }) => type === 'application/json+oembed')
  return link && normaliseValue('url', link.href, sources)
}

/** https://www.w3.org/TR/appmanifest/#icons-member */
function readIcons({ icons }: JsonObject, manifestUrl: string): PageIcon[] {
  if (!Array.isArray(icons)) return []
  return icons.slice(0, MAX_MANIFEST_ICONS).flatMap((icon: unknown): PageIcon[] => {
    if (!isJsonObject(icon) || typeof icon.src !== 'string' || !URL.canParse(icon.src, manifestUrl)) return []
    const { sizes = '', purpose = 'any' } = icon
    // A monochrome icon has no colours, and a maskable one has a wide margin.
    if (typeof purpose === 'string' && !purpose.toLowerCase().split(/\s+/).includes('any')) return []
    const { href } = new URL(icon.src, manifestUrl)
    return [{ href, ...iconSize(typeof sizes === 'string' ? sizes : '', href) }]
  })
}

const readStrings = (document: JsonObject) =>
  new Map(Object.entries(document).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
