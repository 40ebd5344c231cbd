import { PageError, parseQuery, type PageQuery } from '../../query/index.js'
import { canParseUrl } from '../../query/written-url.js'
import { queryLimits, unknownParameters, withNearestParameter } from '../../query/help/index.js'
import { MAX_URLS } from '../url-list.js'
import { parseWebhook, type Webhook } from './webhook.js'

/** A valid request for a job. */
export interface JobRequest {
  /** The pages, or the URL of a sitemap that lists them. */
  source: { urls: readonly string[] } | { sitemap: string }
  /** The parameters of every page in canonical form. */
  parameters: Readonly<Record<string, unknown>>
  webhook: Webhook | undefined
  /** A sentence for each unknown parameter. */
  warnings: string[]
}

/** Bytes of the body of a request for a job. */
export const MAX_BODY_BYTES = 8_000_000
const MAX_WARNINGS = 10
const FIELDS = ['urls', 'sitemap', 'query', 'webhook']
/** Why parameters have no place in a job. */
const REFUSED_PARAMETERS: Readonly<Record<string, string>> = {
  headers: 'is not accepted in a job, because jobs are stored and headers may be credentials',
  embed: 'is not accepted in a job, because its results are JSON',
  variant: 'is not accepted in a job, because its results are JSON',
  keyId: 'is not accepted in a job; send the API key as the header x-api-key',
  expires: 'is not accepted in a job; send the API key as the header x-api-key',
  signature: 'is not accepted in a job; send the API key as the header x-api-key',
}
const ANY_URL = 'http://localhost/'

/**
 * Reads the body of `POST /jobs`.
 *
 * @throws  {PageError} `EINVALQUERY` that names the field in `data`, and the errors of `parseQuery`.
 */
export function parseJobRequest(body: string): JobRequest {
  const value = parseBody(body)
  const unknown = Object.keys(value).find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) throw invalidField(unknown.slice(0, 100), `is not a field of a job: ${FIELDS.join(', ')}`)
  const { urls, sitemap, query, webhook } = value
  if ((urls === undefined) === (sitemap === undefined))
    throw invalidField('urls', 'is missing: send a list of urls, or the URL of a sitemap, and not both')
  return {
    source: urls === undefined ? { sitemap: parseSitemapUrl(sitemap) } : { urls: parseUrls(urls) },
    ...parseParameters(query),
    webhook: webhook === undefined ? undefined : parseWebhook(webhook),
  }
}

const invalidField = (name: string, reason: string, cause?: unknown): PageError =>
  new PageError('EINVALQUERY', `${name} ${reason}.`, {
    data: { [name]: reason },
    ...(cause !== undefined && { cause }),
  })

function parseBody(body: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (cause) {
    throw new PageError('EINVALQUERY', 'The body of a job must be JSON, such as {"urls": ["https://example.com"]}.', {
      data: { body: 'is not JSON' },
      cause,
    })
  }
  if (isObject(value)) return value
  throw new PageError('EINVALQUERY', 'The body of a job must be a JSON object with urls or sitemap.', {
    data: { body: 'is not an object' },
  })
}

function parseUrls(urls: unknown): string[] {
  if (!Array.isArray(urls) || urls.length === 0) throw invalidField('urls', 'must be a list of at least one URL')
  if (urls.length > MAX_URLS) throw invalidField('urls', `has more than ${MAX_URLS} URLs; split the list`)
  const wrong = urls.findIndex((url) => typeof url !== 'string' || url.length > queryLimits.valueChars)
  if (wrong >= 0)
    throw invalidField(
      'urls',
      `must have texts of at most ${queryLimits.valueChars} characters, but number ${wrong} is not`,
    )
  return urls
}

function parseSitemapUrl(sitemap: unknown): string {
  if (typeof sitemap === 'string' && sitemap.length <= queryLimits.valueChars && /^https?:\/\//i.test(sitemap))
    if (canParseUrl(sitemap)) return sitemap
  throw invalidField('sitemap', 'must be an absolute http(s) URL')
}

function parseParameters(query: unknown = {}): Pick<JobRequest, 'parameters' | 'warnings'> {
  if (typeof query !== 'string' && !isObject(query))
    throw invalidField('query', 'must be an object of parameters, or their text like screenshot=true&device=iPad')
  const named = typeof query === 'string' ? new URLSearchParams(query).has('url') : Object.hasOwn(query, 'url')
  if (named) throw invalidField('url', 'is the page of one request; list the pages of a job in urls')
  const search = typeof query === 'string' ? withUrl(query) : { ...query, url: ANY_URL }
  const parsed = parseQuery(search)
  if (parsed.apiKey !== undefined)
    throw invalidField('query', 'must not contain the API key: send the header x-api-key')
  const { url: _, ...parameters } = parsed.query
  for (const [name, reason] of Object.entries(REFUSED_PARAMETERS))
    if (Object.hasOwn(parameters, name)) throw invalidField(name, reason)
  const unknown = [...new Set(unknownParameters(search))].slice(0, MAX_WARNINGS)
  return { parameters, warnings: unknown.map(withNearestParameter) }
}

function withUrl(text: string): URLSearchParams {
  const search = new URLSearchParams(text)
  search.set('url', ANY_URL)
  return search
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The parameters of one page of a job. */
export const queryOfPage = (parameters: Readonly<Record<string, unknown>>, url: string): PageQuery => ({
  ...parameters,
  url,
})
