import { DAY_MS, deliveryFields, fields, groupOf, MAX_TTL_MS, parameterOf, screenshotFields } from './fields.js'
import { invalidParameter } from './page-error.js'
import type { PageQuery } from './page-query.js'
import { MAX_VALUE_CHARS, parsers, requirement, sortedPaths, type Value } from './parameter-values.js'

/** Several times as many as the language has names. */
export const MAX_PARAMETERS = 256
export const MAX_NAME_CHARS = 255

/** Anything that a query can be parsed from: a URL, search parameters, their text, or a plain object. */
export type QueryInput = URL | URLSearchParams | string | PageQuery | Readonly<Record<string, unknown>>

/** What `with` takes: the parameters to replace; `undefined` removes one. */
export type QueryChanges = { readonly [Name in keyof PageQuery]?: PageQuery[Name] | undefined }

/** Values by canonical name, flat: `screenshot.type`, `headers.user-agent`, `ping.audio`; a list of several items is an array. */
type Values = ReadonlyMap<string, Value | Value[]>

/**
 * Parses a query in any accepted spelling; the input is not changed. A parsed query is returned as it is.
 *
 * @returns  The canonical query and a warning for each unknown parameter, with its canonical text and cache key.
 * @throws   {PageError} `EINVALURL`, `EINVALQUERY`, `EINVALTTL`, `EINVALSTTL`, `EHEADERS`, with the parameter in `data`.
 */
export function parseQuery(input: QueryInput | ParsedQuery): ParsedQuery {
  return input instanceof ParsedQuery ? input : new ParsedQuery(...parseParameters(input))
}

/**
 * The canonical text of a query: canonical names, sorted, defaults left out, `x-www-form-urlencoded`.
 *
 * @throws  {PageError} as `parseQuery` does.
 */
export const writeQuery = (query: QueryInput | ParsedQuery): string => parseQuery(query).text

/**
 * The key under which client, React and service cache a result: the canonical text without what controls delivery.
 *
 * @throws  {PageError} as `parseQuery` does.
 */
export const cacheKey = (query: QueryInput | ParsedQuery): string => parseQuery(query).cacheKey

/** URL of the service: one for its free and its pro host, or one for each. Absolute, or a path of the page's own origin. */
export type Endpoint = string | { readonly free?: string; readonly pro?: string }

/**
 * The URL that requests this query.
 *
 * @param endpoint  Default: `/page-preview` on the page's own origin.
 * @param plan   Which host; default: `pro` if the query carries a key or a signature.
 * @throws       {PageError} as `parseQuery` does; `EINVALQUERY` if `endpoint` lacks the host.
 */
export function requestUrl(
  query: QueryInput | ParsedQuery,
  endpoint: Endpoint = '/page-preview',
  plan?: 'free' | 'pro',
): string {
  const parsed = parseQuery(query)
  const chosen = plan ?? (parsed.apiKey || parsed.query.signature ? 'pro' : 'free')
  const host = typeof endpoint === 'string' ? endpoint : endpoint[chosen]
  if (host === undefined) throw invalidParameter('endpoint', `must name the ${chosen} host`)
  // A path stays without a slash, because frameworks redirect "/path/?" to "/path?".
  return `${host.replace(/^([a-z]+:\/\/[^/]+)$/i, '$1/')}?${parsed.text}`
}

/**
 * A valid query with its canonical text and cache key. Only `parseQuery` creates one, and `with` derives others, so code
 * that takes one need not parse or validate it again.
 */
export class ParsedQuery {
  // Only declared: the constructor sets them, so no code is needed here.
  /** The canonical parameters, with the defaults that only this query has: an embedded image has longer `ttl` and `staleTtl`. */
  declare readonly query: PageQuery
  /** A sentence for each unknown parameter, which is ignored. */
  declare readonly warnings: string[]
  /** The values as parsed, including those equal to a default. */
  readonly #parsed: Values
  readonly #canonical: Values

  /** The package exports the type alone, so that only this file creates one. */
  constructor(parsed: Map<string, Value | Value[]>, warnings: string[]) {
    if (!parsed.has('url')) addValue(parsed, 'url', '')
    const implied = impliedValues(parsed)
    this.#parsed = parsed
    this.#canonical = canonicalValues(parsed, implied)
    this.query = nestedQuery(new Map([...implied, ...this.#canonical]))
    this.warnings = warnings
  }

  /** Canonical names, sorted, defaults left out, `x-www-form-urlencoded`. */
  get text(): string {
    return serialize(this.#canonical)
  }

  /** The canonical text without what controls delivery rather than extraction: one key for client, React and service. */
  get cacheKey(): string {
    return serialize(extractionValues(this.#canonical))
  }

  /** The service's key, when the query carries one. */
  get apiKey(): string | undefined {
    return this.query.headers?.apiKey
  }

  /** The same query without the service's key, for URLs and for the target page. */
  withoutApiKey(): ParsedQuery {
    const parsed = new Map(this.#parsed)
    return parsed.delete('headers.apiKey') ? new ParsedQuery(parsed, this.warnings) : this
  }

  /**
   * Another query with some parameters replaced; the others are not parsed again.
   *
   * @throws {PageError} as `parseQuery` does, for the replaced parameters.
   */
  with(changes: QueryChanges): ParsedQuery {
    const unchanged = [...this.#parsed].filter(([name]) => !(name in changes || groupOf(name) in changes))
    return new ParsedQuery(new Map([...unchanged, ...parseParameters(changes)[0]]), this.warnings)
  }
}

/** @returns  The values by canonical name, and a warning for each unknown parameter. */
function parseParameters(input: QueryInput | QueryChanges): [values: Map<string, Value | Value[]>, warnings: string[]] {
  const values = new Map<string, Value | Value[]>()
  const warnings: string[] = []
  let remaining = MAX_PARAMETERS
  for (const [written, text] of parameterPairs(input)) {
    if (!remaining--) throw invalidParameter('query', 'is too long')
    const name = canonicalName(written)
    if (name) addValue(values, name, text)
    else warnings.push(`Unknown parameter "${written}" was ignored.`)
  }
  return [joinLists(values), warnings]
}

/** The parameters of a query as pairs of written name and text. */
export function parameterPairs(input: QueryInput): URLSearchParams {
  if (input instanceof URLSearchParams) return input
  return new URLSearchParams(
    typeof input === 'object' && !(input instanceof URL)
      ? flatten(input)
      : // The part between the `?` and the fragment of a URL or path; a text without `?` is a query string already.
        String(input)
          .replace(/#.*/s, '')
          .replace(/^[^?=&]*\?/, ''),
  )
}

function flatten(value: unknown, name = ''): [name: string, text: string][] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object' || value instanceof URL) return [[name, (value as string | URL).toString()]]
  // `screenshot.overlay.browser` has three segments; deeper objects are ignored, which also ends circular ones.
  if (name.split('.').length > 3) return []
  return Object.entries(value).flatMap(([key, part]) => flatten(part, name ? `${name}.${key}` : key))
}

/** Names that could reach a prototype when a nested object is built from them. */
const UNSAFE_NAME = /(^|\.)(__proto__|constructor|prototype)(\.|$)/i

/**
 * The canonical name of a parameter in any accepted spelling; sub-keys stay part of it (`headers.user-agent`, `ping.audio`,
 * `click.0`).
 *
 * @returns  `undefined` for a parameter that the language does not have.
 * @throws   {PageError} `EINVALQUERY` for a name that is too long or could reach a prototype.
 */
export function canonicalName(written: string): string | undefined {
  if (written.length > MAX_NAME_CHARS || UNSAFE_NAME.test(written))
    throw invalidParameter(written.slice(0, 99), 'is invalid')
  const group = groupOf(written)
  // What the caller chooses is not folded; but all spellings of a header are one, and `apiKey` is the service's own.
  if (parameterOf(group)?.subKey === 'text' && /\../.test(written))
    return group === 'headers'
      ? written
          .replace(/(?<=[a-z])(?=[A-Z])|_/g, '-')
          .toLowerCase()
          .replace(/^headers\.api-key$/, 'headers.apiKey')
      : written
  const camelCased = written.replace(/[-_][a-z]/g, (pair) => pair[1]!.toUpperCase())
  const flat = camelCased.replace(/\.\d+$/, '')
  const index = camelCased.slice(flat.length)
  const option = flat.replace(/^screenshot\./, '')
  const name = [option, `screenshot.${option}`].find((name) => Object.hasOwn(screenshotFields, name)) ?? flat
  return Object.hasOwn(fields, name) && (!index || parameterOf(name)?.subKey) ? name + index : undefined
}

function addValue(values: Map<string, Value | Value[]>, name: string, text: string): void {
  const parameter = parameterOf(name)!
  const value = text.length > MAX_VALUE_CHARS ? undefined : parsers[parameter.type](text, parameter, name)
  if (value === undefined) throw invalidParameter(name, requirement(parameter), parameter.code)
  setOnce(values, name, value)
}

/** @throws {PageError} `EINVALQUERY` for a parameter that has another value. */
function setOnce(values: Map<string, Value | Value[]>, name: string, value: Value | Value[]): void {
  if ((values.get(name) ?? value) !== value) throw invalidParameter(name, 'has two different values')
  values.set(name, value)
}

/**
 * Makes the items of each list (`click.0`) one value, in the order of their indices. A list of one item is the item.
 *
 * @throws {PageError} `EINVALQUERY` for a list that has another value beside its items.
 */
function joinLists(values: Values): Map<string, Value | Value[]> {
  const joined = new Map<string, Value | Value[]>()
  // The keys of an object that are indices are in their order.
  const lists: Record<string, Record<string, Value | Value[]>> = {}
  for (const [name, value] of values) {
    const [list, index] = name.split('.')
    if (index && parameterOf(name)?.subKey === 'integer') (lists[list!] ??= {})[index] = value
    else joined.set(name, value)
  }
  for (const list in lists) {
    const items = Object.values(lists[list]!).flat()
    const isOneText = parameterOf(list)?.type === 'paths'
    setOnce(joined, list, isOneText ? sortedPaths(items.join()) : items.length > 1 ? items : items[0]!)
  }
  return joined
}

const EMBEDDED_IMAGE = /^(image|logo|screenshot)(\.url)?$/

/**
 * The values that others imply: an option of a screenshot requests one, and an embedded image is cached longer.
 *
 * @throws {PageError} `EINVALSTTL` for a `staleTtl` above the `ttl`.
 */
function impliedValues(parsed: Values): Values {
  const implied = new Map<string, Value>()
  if (parsed.get('screenshot') || hasScreenshotOption(parsed)) implied.set('screenshot', true)
  const embed = parsed.get('embed')
  const isImage = embed === true ? implied.has('screenshot') : EMBEDDED_IMAGE.test(String(embed))
  if (isImage) implied.set('ttl', MAX_TTL_MS)
  const ttlMs = Number(parsed.get('ttl') ?? implied.get('ttl') ?? DAY_MS)
  if (isImage) implied.set('staleTtl', Math.min(ttlMs, DAY_MS))
  if (Number(parsed.get('staleTtl')) > ttlMs)
    throw invalidParameter('staleTtl', 'must not be longer than ttl', fields.staleTtl.code)
  return implied
}

/** The values as a query is written and hashed: without implied values and defaults. */
function canonicalValues(parsed: Values, implied: Values): Values {
  const values = new Map(parsed)
  // One `true` selects only the fields that are `true`; the value of the parameter itself does not matter.
  const isSelection = [...values].some(([name, value]) => name.startsWith('meta.') && value)
  if (isSelection) values.set('meta', false)
  // A field of `ping` or `meta` defaults to the value of its parent.
  const defaultOf = (name: string) =>
    (Object.hasOwn(fields, name) ? implied.get(name) : values.get(groupOf(name))) ?? parameterOf(name)?.default
  const canonical = new Map([...values].filter(([name, value]) => value !== defaultOf(name)))
  if (isSelection) canonical.delete('meta')
  canonical.delete('screenshot')
  // An option that is a default is left out, and implies nothing.
  if (implied.has('screenshot') && !hasScreenshotOption(canonical)) canonical.set('screenshot', true)
  return canonical
}

const hasScreenshotOption = (values: Values) => [...values.keys()].some((name) => Object.hasOwn(screenshotFields, name))

/** The object form of a query: `screenshot.type` becomes `{ screenshot: { type } }`. */
function nestedQuery(values: Values): PageQuery {
  const query: Record<string, unknown> = {}
  const groups: Record<string, Record<string, unknown>> = {}
  for (const [name, value] of values) {
    const [group, ...rest] = name.split('.')
    // A parent that is `false` cannot be an object too, so its options keep their dotted names.
    if (!rest.length || values.get(group!) === false) query[name] = value
    // An option replaces the `true` of its parent.
    else (query[group!] = groups[group!] ??= {})[rest.join('.')] = value
  }
  // Built name by name from the table that its type is derived from, which the type checker cannot follow.
  return query as Record<string, unknown> & PageQuery
}

/** The values that the cache key consists of. */
function extractionValues(canonical: Values): Values {
  const values = new Map(canonical)
  for (const name in deliveryFields) values.delete(name)
  values.delete('headers.apiKey')
  const device = foldDeviceName(String(values.get('device') ?? fields.device.default))
  if (device === foldDeviceName(fields.device.default)) values.delete('device')
  else values.set('device', device)
  return values
}

/** The name of a device in the spelling that all of its spellings share: neither their case nor their separators matter. */
export const foldDeviceName = (name: string): string =>
  name
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase()

function serialize(values: Values): string {
  const parameters = parameterPairs(Object.fromEntries(values))
  parameters.sort()
  return String(parameters)
}
