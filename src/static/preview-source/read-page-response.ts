import type { PageResponse } from '../../query/index.js'
import { readResponseBody } from './read-response-body.js'
import { unexpectedResponseError } from './read-error.js'
import type { SourcePage } from './preview-source.js'

const MAX_BYTES = 5_000_000

/**
 * Reads the result of a page.
 *
 * @param warnings  Those of the query itself.
 * @throws          {PageError} `EFATALCLIENT` for another response than a service's, `ETOOLARGE`.
 */
export async function readPageResponse(response: Response, warnings: readonly string[]): Promise<SourcePage> {
  const body = parse(new TextDecoder().decode(await readResponseBody(response, MAX_BYTES)))
  if (!isPageResponse(body)) throw unexpectedResponseError(response.status)
  return {
    data: body.data,
    statusCode: body.statusCode,
    redirects: Array.isArray(body.redirects) ? body.redirects : [],
    producedAt: Number(response.headers.get('x-timestamp')) || Date.now(),
    cacheStatus: response.headers.get('x-cache-status') ?? 'MISS',
    warnings: [...new Set([...warnings, ...(Array.isArray(body.warnings) ? body.warnings.map(String) : [])])],
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const isPageResponse = (body: unknown): body is PageResponse =>
  isObject(body) && body.status === 'success' && isObject(body.data)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
