import { cacheKey, parseQuery, requestUrl, type Hosts, type PageQuery } from '../query/index.js'

/** `['page-preview', 1, host, cacheKey]`: `host` is the address asked, without the query. */
export type PagePreviewKey = readonly ['page-preview', 1, string, string]

/** A picture that the service gives by itself, and the field of the answer that tells of it. */
export interface Embed {
  url: string
  field: 'screenshot' | 'image' | 'logo'
}

/** One query as a preview asks it: JSON for the facts, and maybe an address for the picture itself. */
export interface PreviewRequest {
  queryKey: PagePreviewKey
  /** Without `embed` and `filter`, which would change what others read under the same key. */
  json: PageQuery
  /** An address cannot carry a key, so with one the picture comes with the answer. */
  embed?: Embed | undefined
  filter?: string | undefined
}

const EMBEDDED_FIELD = /^(screenshot|image|logo)(\.url)?$/

/** A query that cannot be read stays as it is: the client says why, when it is asked. */
export function previewRequest(
  words: PageQuery,
  { hosts = '/page-preview', apiKey }: { hosts?: Hosts | undefined; apiKey?: string | undefined },
): PreviewRequest {
  try {
    const { query: read } = parseQuery(words)
    const path = read.embed === true ? 'screenshot' : String(read.embed)
    const field = EMBEDDED_FIELD.exec(path)?.[1] as Embed['field'] | undefined
    const lacksScreenshot = field === 'screenshot' && !read.screenshot
    // Read once more, for an embedded screenshot brings its own `ttl` and `staleTtl` along.
    const query = lacksScreenshot ? parseQuery({ ...read, screenshot: true }).query : read
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
    return { queryKey: ['page-preview', 1, '', `${words.url} ${String(error)}`], json: words }
  }
}
