import { completeUrl } from '../complete-url.js'
import { fields, isPageError, PageError, parseQuery, type ParsedQuery } from '../index.js'
import { nearestName } from './nearest-name.js'
import { refuseApiKeys } from './access.js'

/** A query as it was sent, with what its author should know. */
export interface ParsedSearch {
  parsed: ParsedQuery
  /** A sentence for each of the first unknown parameters, naming what was probably meant, and one sentence for all others. */
  warnings: string[]
}

const PARAMETER_NAMES = [
  ...Object.keys(fields),
  ...Object.keys(fields).flatMap((name) => /^screenshot\.(.*)/.exec(name)?.[1] ?? []),
]
const LONGEST_NAME_CHARS = Math.max(...PARAMETER_NAMES.map((name) => name.length))
/** Comparing names takes time, and a request may have hundreds. */
const MAX_NAMED = 10

/**
 * Parses the parameters of a request as `parseQuery` does, refuses API keys in them, and adds suggestions to its messages.
 * Neither is part of `parseQuery`, because every page loads `parseQuery`.
 *
 * @throws  {PageError} as `refuseApiKeys` and `parseQuery` do; for an invalid `url` with what to write instead.
 */
export function parseSearch(search: URLSearchParams): ParsedSearch {
  refuseApiKeys(search)
  try {
    const parsed = parseQuery(search)
    return { parsed, warnings: shortened([...new Set(parsed.warnings)]) }
  } catch (error) {
    throw isPageError(error) && error.code === 'EINVALURL' ? urlError(search.get('url') ?? '', error) : error
  }
}

/** The parameter of the language that was probably meant by a name that it does not have: a third of its letters may differ. */
export const nearestParameter = (name: string): string | undefined =>
  nearestName(name, PARAMETER_NAMES, Math.max(1, Math.min(name.length, LONGEST_NAME_CHARS) / 3))

function shortened(warnings: readonly string[]): string[] {
  const named = warnings.slice(0, MAX_NAMED).map(withNearestParameter)
  const others = warnings.length - named.length
  if (others === 0) return named
  return [...named, `${others} more unknown ${others > 1 ? 'parameters were' : 'parameter was'} ignored.`]
}

/** A warning of `parseQuery`, with the parameter that was probably meant. */
export function withNearestParameter(warning: string): string {
  const [, name = ''] = /^Unknown parameter "(.*)" was ignored\.$/s.exec(warning) ?? []
  const nearest = nearestParameter(name)
  return nearest ? warning.replace(/\.$/, `; did you mean ${nearest}?`) : warning
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
