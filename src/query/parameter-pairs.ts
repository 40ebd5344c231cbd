import type { PageQuery } from './page-query.js'

/** Anything that a query can be parsed from: a URL, search parameters, their text, or a plain object. */
export type QueryInput = URL | URLSearchParams | string | PageQuery | Readonly<Record<string, unknown>>

/** `screenshot.overlay.browser` has three segments; deeper objects are ignored, which also ends circular ones. */
const MAX_DEPTH = 3

/** The parameters of a query as pairs of written name and text; a fragment after the query of a URL is not part of it. */
export function parameterPairs(input: QueryInput): URLSearchParams {
  if (input instanceof URLSearchParams) return input
  if (typeof input === 'string' || input instanceof URL) return new URLSearchParams(queryString(String(input)))
  return new URLSearchParams(flatten(input))
}

/** The part between the `?` and the fragment of a URL or path; a text without `?` is a query string already. */
const queryString = (text: string) => text.replace(/#.*/s, '').replace(/^[^?=&]*\?/, '')

function flatten(value: unknown, name = ''): [name: string, text: string][] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object' || value instanceof URL) return [[name, (value as string | URL).toString()]]
  if (name.split('.').length > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([key, part]) => flatten(part, name ? `${name}.${key}` : key))
}
