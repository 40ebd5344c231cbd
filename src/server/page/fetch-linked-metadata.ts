import type { PageQuery } from '../../query/index.js'
import { iconSize, isJsonObject, type JsonObject, type PageIcon } from './document/index.js'
import type { Pinger } from './ping/index.js'
import type { DocumentReading, LinkedMetadata } from './read-document.js'
import { isFieldRequested, isPingRequested } from './requested-fields.js'
import { resolveUrl, type MetadataField } from './values/index.js'

const OEMBED_FIELDS = ['title', 'author', 'publisher', 'image'] as const
const MAX_MANIFEST_ICONS = 30

/**
 * Fetches the metadata documents that a page links to, if they can improve the result: the web app manifest for a larger icon,
 * the oEmbed document for missing fields. Fields that are not requested, or not pinged, never cause a request.
 *
 * @returns  The content of both; `undefined` when neither could be read.
 */
export async function fetchLinkedMetadata(
  { candidates, hasHighResolutionIcon, ...urls }: DocumentReading,
  { query, pinger }: { query: PageQuery; pinger: Pinger },
): Promise<LinkedMetadata | undefined> {
  const mayFetch = (field: MetadataField) => isFieldRequested(query, field) && isPingRequested(query, field)
  const needsIcon = mayFetch('logo') && !hasHighResolutionIcon
  const needsOembed = OEMBED_FIELDS.some((field) => mayFetch(field) && !candidates[field].length)
  const manifestUrl = needsIcon ? urls.manifestUrl : undefined
  const oembedUrl = needsOembed ? urls.oembedUrl : undefined
  const [manifest, oembed] = await Promise.all([
    manifestUrl ? pinger.fetchJson(manifestUrl) : undefined,
    oembedUrl ? pinger.fetchJson(oembedUrl) : undefined,
  ])
  if (!isJsonObject(manifest) && !isJsonObject(oembed)) return undefined
  return {
    manifestIcons: isJsonObject(manifest) && manifestUrl ? readIcons(manifest, manifestUrl) : [],
    oembed: isJsonObject(oembed) ? readStrings(oembed) : new Map(),
  }
}

/** https://www.w3.org/TR/appmanifest/#icons-member */
function readIcons({ icons }: JsonObject, manifestUrl: string): PageIcon[] {
  if (!Array.isArray(icons)) return []
  return icons.slice(0, MAX_MANIFEST_ICONS).flatMap((icon: unknown): PageIcon[] => {
    if (!isJsonObject(icon) || typeof icon.src !== 'string') return []
    const { sizes = '', purpose = 'any' } = icon
    // A monochrome icon has no colours, and a maskable one has a wide margin.
    if (typeof purpose === 'string' && !purpose.toLowerCase().split(/\s+/).includes('any')) return []
    const href = resolveUrl(icon.src, { baseUrl: manifestUrl })
    if (href === undefined) return []
    return [{ href, ...iconSize(typeof sizes === 'string' ? sizes : '', href) }]
  })
}

const readStrings = (document: JsonObject) =>
  new Map(Object.entries(document).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
