import { canonicalName } from './canonical-name.js'
import { canonicalValues, impliedValues, type Values } from './canonical-values.js'
import { deliveryFields, fields, groupOf, parameterOf } from './fields.js'
import { invalidParameter } from './invalid-parameter.js'
import { joinLists, setOnce } from './join-lists.js'
import { nestedQuery } from './nested-query.js'
import { parameterPairs, type QueryInput } from './parameter-pairs.js'
import type { PageQuery } from './page-query.js'
import { MAX_VALUE_CHARS, requirement, parsers, type Value } from './value-types.js'

/** Several times as many as the language has names. */
export const MAX_PARAMETERS = 256

/** What `with` takes: the parameters to replace; `undefined` removes one. */
export type QueryChanges = { readonly [Name in keyof PageQuery]?: PageQuery[Name] | undefined }

/**
 * A valid query with its canonical text and cache key. Only `parseQuery` creates one, and `with` derives others, so code
 * that takes one need not parse or validate it again.
 */
export class ParsedQuery {
  /** The canonical parameters, with the defaults that only this query has: an embedded image has longer `ttl` and `staleTtl`. */
  readonly query: PageQuery
  /** A sentence for each unknown parameter, which is ignored. */
  readonly warnings: string[]
  /** The values as parsed, including those equal to a default. */
  readonly #parsed: Values
  readonly #canonical: Values

  private constructor(parsed: Values, warnings: string[]) {
    const implied = impliedValues(parsed)
    this.#parsed = parsed
    this.#canonical = canonicalValues(parsed, implied)
    this.query = nestedQuery(new Map([...implied, ...this.#canonical]))
    this.warnings = warnings
  }

  /** @throws {PageError} `EINVALURL`, `EINVALQUERY`, `EINVALTTL`, `EINVALSTTL`, `EHEADERS`, with the parameter in `data`. */
  static parse(input: QueryInput): ParsedQuery {
    return new ParsedQuery(...parseParameters(input))
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
   * @throws {PageError} as `parse` does, for the replaced parameters.
   */
  with(changes: QueryChanges): ParsedQuery {
    const isReplaced = (name: string) => Object.hasOwn(changes, name) || Object.hasOwn(changes, groupOf(name))
    const unchanged = [...this.#parsed].filter(([name]) => !isReplaced(name))
    const [parsed] = parseParameters(changes, unchanged)
    return new ParsedQuery(parsed, this.warnings)
  }
}

/** @returns  The values by canonical name, and a warning for each unknown parameter. */
function parseParameters(
  input: QueryInput | QueryChanges,
  unchanged: Iterable<[string, Value | Value[]]> = [],
): [values: Values, warnings: string[]] {
  const values = new Map(unchanged)
  const warnings: string[] = []
  let remaining = MAX_PARAMETERS
  for (const [written, text] of parameterPairs(input)) {
    if (!remaining--) throw invalidParameter('query', 'is too long')
    const name = canonicalName(written)
    if (name) addValue(values, name, text)
    else warnings.push(`Unknown parameter "${written}" was ignored.`)
  }
  if (!values.has('url')) addValue(values, 'url', '')
  return [joinLists(values), warnings]
}

function addValue(values: Map<string, Value | Value[]>, name: string, text: string): void {
  const parameter = parameterOf(name)
  const value = text.length > MAX_VALUE_CHARS ? undefined : parsers[parameter.type](text, parameter, name)
  if (value === undefined) throw invalidParameter(name, requirement(parameter), parameter.code)
  setOnce(values, name, value)
}

function extractionValues(canonical: Values): Values {
  const values = new Map(canonical)
  for (const name of [...Object.keys(deliveryFields), 'headers.apiKey']) values.delete(name)
  const device = foldedName(values.get('device') ?? fields.device.default)
  if (device === foldedName(fields.device.default)) values.delete('device')
  else values.set('device', device)
  return values
}

/** Names of devices are equal in every case and with every separator. */
const foldedName = (name: Value | Value[]) =>
  String(name)
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase()

function serialize(values: Values): string {
  const parameters = parameterPairs(Object.fromEntries(values))
  parameters.sort()
  return String(parameters)
}
