import { cacheKey, parseQuery, requestUrl, type Hosts, type PageQuery } from '../query/index.js'

/** `['page-preview', 1, host, cacheKey]`; `host` is the service's URL without the query. */
export type PagePreviewKey = readonly ['page-preview', 1, string, string]

/** An image that the service delivers by URL, without JSON first. */
export interface Embed {
  url: string
  /** The field of the page's data that describes it. */
  field: 'screenshot' | 'image' | 'logo'
}

/** The requests of one preview: JSON for the metadata, and with `embed` a URL for the image itself. */
export interface PreviewRequest {
  queryKey: PagePreviewKey
  /** Without `embed` and `filter`: the cached JSON is shared by all previews with the same key. */
  json: PageQuery
  /** Absent with an API key, which must not appear in a URL: then the image comes with the JSON. */
  embed?: Embed | undefined
  filter?: string | undefined
}

const EMBEDDED_FIELD = /^(screenshot|image|logo)(\.url)?$/

/** Resolves a query into its requests. An invalid query is passed on as it is, so that the fetch reports the error. */
export function previewRequest(
  input: PageQuery,
  { hosts = '/page-preview', apiKey }: { hosts?: Hosts | undefined; apiKey?: string | undefined },
): PreviewRequest {
  try {
    const { query: parsed } = parseQuery(input)
    const path = parsed.embed === true ? 'screenshot' : String(parsed.embed)
    const field = EMBEDDED_FIELD.exec(path)?.[1] as Embed['field'] | undefined
    const lacksScreenshot = field === 'screenshot' && !parsed.screenshot
    // An embedded screenshot has other defaults for `ttl` and `staleTtl`.
    const query = lacksScreenshot ? parseQuery({ ...parsed, screenshot: true }).query : parsed
    const { embed: _, filter, ...json } = query
    const key = query.headers?.apiKey ?? apiKey
    // The shortest query that goes to the same host.
    const [host = ''] = requestUrl({ url: query.url, signature: key ?? query.signature }, hosts).split('?')
    return {
      queryKey: ['page-preview', 1, host, cacheKey(json)],
      json,
      embed: field && !key ? { url: requestUrl(query, hosts), field } : undefined,
      filter: filter as string | undefined,
    }
  } catch (error) {
    return { queryKey: ['page-preview', 1, '', `${input.url} ${String(error)}`], json: input }
  }
}
