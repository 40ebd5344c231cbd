import { completeUrl } from '../written-url.js'
import { fields, isPageError, PageError, parseQuery, type ParsedQuery } from '../index.js'
import { canonicalName, parameterPairs, type QueryInput } from '../parsed-query.js'
import { nearestName } from './nearest-name.js'
import { refuseApiKeys } from './access.js'
import { switchableFields } from './parameter-help.js'

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
/** Two letters that have changed places are two. */
const MAX_FIELD_TYPOS = 2
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
    return { parsed, warnings: warningsAbout([...new Set(unknownParameters(search))]) }
  } catch (error) {
    throw isPageError(error) && error.code === 'EINVALURL' ? urlError(search.get('url') ?? '', error) : error
  }
}

/** The parameter of the language that was probably meant by a name that it does not have: a third of its letters may differ. */
export const nearestParameter = (name: string): string | undefined =>
  nearestName(name, PARAMETER_NAMES, Math.max(1, Math.min(name.length, LONGEST_NAME_CHARS) / 3))

function warningsAbout(unknown: readonly string[]): string[] {
  const named = unknown.slice(0, MAX_NAMED).map(withNearestParameter)
  const others = unknown.length - named.length
  if (others === 0) return named
  return [...named, `${others} more unknown ${others > 1 ? 'parameters were' : 'parameter was'} ignored.`]
}

/**
 * The names of the parameters of a valid query that the language does not have, as they were written, and those that switch a field which
 * no result has.
 */
export const unknownParameters = (query: QueryInput): string[] =>
  [...parameterPairs(query)]
    .map(([name]) => name)
    .filter((name) => canonicalName(name) === undefined || unknownField(name))

/** The parts of a name such as `meta.titel`, whose group has no such field; `undefined` for every other name. */
function unknownField(name: string): { group: keyof typeof switchableFields; field: string } | undefined {
  for (const group of ['meta', 'ping'] as const) {
    const field = name.slice(group.length + 1)
    const known: readonly string[] = switchableFields[group]
    if (name === `${group}.${field}` && !known.includes(field)) return { group, field }
  }
  return undefined
}

/** The warning about an unknown parameter or field, with the one that was probably meant. */
export function withNearestParameter(unknown: string): string {
  const unknownPart = unknownField(unknown)
  if (unknownPart) {
    const { group, field } = unknownPart
    const nearest = nearestName(field, switchableFields[group], MAX_FIELD_TYPOS)
    return `No field is named "${unknown}"${nearest ? `; did you mean ${group}.${nearest}?` : '.'}`
  }
  const nearest = nearestParameter(unknown)
  return `Unknown parameter "${unknown}" was ignored${nearest ? `; did you mean ${nearest}?` : '.'}`
}

function urlError(url: string, cause: PageError): PageError {
  const complete = completeUrl(url)
  const reason = !url
    ? 'is missing: write url=https://example.com'
    : complete === url.trim()
      ? 'must be an absolute http(s) URL, e.g. url=https://example.com'
      : `must be an absolute http(s) URL: write url=${complete}`
  return new PageError('EINVALURL', `url ${reason}.`, { data: { url: reason }, cause })
}
