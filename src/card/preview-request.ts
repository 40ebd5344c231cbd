import { completeUrl } from '../query/written-url.js'
import { parseQuery, requestUrl, type Endpoint, type PageQuery, type ParsedQuery } from '../query/index.js'

/** `serviceUrl` is the URL of the free or the pro host, without parameters; empty for an invalid query. */
export type PagePreviewKey = readonly [product: 'page-preview', version: 1, serviceUrl: string, cacheKey: string]

/** An image that the service delivers by URL, without JSON first. */
export interface Embed {
  url: string
  /** The field of the page's data that describes it. */
  field: 'screenshot' | 'image' | 'logo'
}

/** The requests of one preview: JSON for the metadata, and with `embed` a URL for the image itself. */
export interface PreviewRequest {
  queryKey: PagePreviewKey
  /** The query as the caller wrote it. */
  query: PageQuery
  /**
   * Without `embed` and `filter`, because the cached JSON is shared by all previews with the same key. Absent for an
   * invalid query.
   */
  jsonQuery?: ParsedQuery | undefined
  /** The URL of the JSON, without the API key; empty for an invalid query. */
  url: string
  /** The query's or the caller's, for a header. */
  apiKey?: string | undefined
  /** One sentence for each unknown parameter. */
  warnings: readonly string[]
  /** What is wrong with an invalid query. */
  error?: unknown
  /** Milliseconds; `undefined` if the query has none, `false` if stale results are not allowed. */
  staleTtl?: PageQuery['staleTtl']
  /** Absent with an API key, which must not appear in a URL: then the image comes with the JSON. */
  embed?: Embed | undefined
  filter?: string | undefined
}

/** The service that a query is sent to. */
interface PreviewSource {
  endpoint?: Endpoint | undefined
  apiKey?: string | undefined
}

/** Parses a query, whose URL may lack its scheme, once, and resolves it into the requests of a preview. Never throws. */
export function previewRequest(query: PageQuery, { endpoint, apiKey: callerKey }: PreviewSource): PreviewRequest {
  try {
    const parsed = parseQuery({ ...query, url: completeUrl(query.url) })
    const field = embeddedField(parsed.query)
    const complete = field === 'screenshot' && !parsed.query.screenshot ? parsed.with({ screenshot: true }) : parsed
    // An embedded image implies a longer `ttl` and `staleTtl`, which the JSON has to state.
    const { ttl, staleTtl, filter } = complete.query
    const jsonQuery = complete.with({ embed: undefined, filter: undefined, ttl, staleTtl })
    // An empty text is no key: an environment variable may be unset.
    const apiKey = complete.apiKey || callerKey
    const url = requestUrl(jsonQuery.withoutApiKey(), endpoint, apiKey ? 'pro' : undefined)
    return {
      queryKey: ['page-preview', 1, url.split('?', 1)[0]!, jsonQuery.cacheKey],
      query,
      jsonQuery,
      url,
      apiKey,
      warnings: jsonQuery.warnings,
      staleTtl,
      embed: field && !apiKey ? { url: requestUrl(complete.withoutApiKey(), endpoint), field } : undefined,
      filter: filter as string | undefined,
    }
  } catch (error) {
    const queryKey = ['page-preview', 1, '', `${query.url} ${String(error)}`] as const
    return { queryKey, query, url: '', warnings: [], error }
  }
}

const requests = new WeakMap<object, PreviewRequest>()

/**
 * The request of a query that stays the same object. It is parsed on the first call, because most previews of a long page never come
 * near the viewport.
 */
export function requestOf(stableQuery: { query: PageQuery; source: PreviewSource }): PreviewRequest {
  const request = requests.get(stableQuery) ?? previewRequest(stableQuery.query, stableQuery.source)
  requests.set(stableQuery, request)
  return request
}

/** The image field that `embed` selects; `true` stands for the screenshot. */
function embeddedField({ embed }: PageQuery): Embed['field'] | undefined {
  const path = embed === true ? 'screenshot' : String(embed)
  return /^(image|logo|screenshot)(\.url)?$/.exec(path)?.[1] as Embed['field'] | undefined
}
