import { canonicalName } from '../canonical-name.js'
import { completeUrl } from '../complete-url/index.js'
import { fields, isPageError, PageError, parseQuery, type ParsedQuery } from '../index.js'
import { nearestName } from './nearest-name.js'

/** A query as it was sent, with what its author should know. */
export interface ParsedSearch {
  parsed: ParsedQuery
  /** A sentence for each unknown parameter, with the one that was probably meant. */
  warnings: string[]
}

const PARAMETER_NAMES = [
  ...Object.keys(fields),
  ...Object.keys(fields).flatMap((name) => /^screenshot\.(.*)/.exec(name)?.[1] ?? []),
]
/** Comparing names takes time, and a request may have many. */
const MAX_SUGGESTIONS = 10

/**
 * Parses the parameters of a request as `parseQuery` does, and adds suggestions to its messages. They are not part of
 * `parseQuery`, because each page loads that.
 *
 * @throws  {PageError} as `parseQuery` does; for an invalid `url` with what to write instead.
 */
export function parseSearch(search: URLSearchParams): ParsedSearch {
  try {
    return { parsed: parseQuery(search), warnings: unknownNames(search).map(warningOf) }
  } catch (error) {
    throw isPageError(error) && error.code === 'EINVALURL' ? urlError(search.get('url') ?? '', error) : error
  }
}

/** The parameter of the language that was probably meant by a name that it does not have. */
export const nearestParameter = (name: string): string | undefined =>
  nearestName(name, PARAMETER_NAMES, Math.max(1, name.length / 3))

const unknownNames = (search: URLSearchParams) => [...search.keys()].filter((name) => !canonicalName(name))

function warningOf(name: string, index: number): string {
  const nearest = index < MAX_SUGGESTIONS ? nearestParameter(name) : undefined
  return `Unknown parameter "${name}" was ignored${nearest ? `; did you mean ${nearest}?` : '.'}`
}

/** A warning of `parseQuery`, with the parameter that was probably meant. */
export function withNearestParameter(warning: string): string {
  const [, name] = /^Unknown parameter "([^"]+)"/.exec(warning) ?? []
  return name ? warningOf(name, 0) : warning
}

function urlError(url: string, cause: PageError): PageError {
  const complete = completeUrl(url)
  const reason = !url
    ? 'is missing: write url=https://example.com'
    : complete === url
      ? 'must be an absolute http(s) URL, e.g. url=https://example.com'
      : `must be an absolute http(s) URL: write url=${complete}`
  return new PageError('EINVALURL', `url ${reason}.`, { data: { url: reason }, cause })
}
