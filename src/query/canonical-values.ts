import { DAY_MS, fields, groupOf, MAX_TTL_MS, parameterOf } from './fields.js'
import { invalidParameter } from './invalid-parameter.js'
import type { Value } from './value-types.js'

/** Values by canonical name, flat: `screenshot.type`, `headers.user-agent`, `ping.audio`; a list of several items is an array. */
export type Values = ReadonlyMap<string, Value | Value[]>

const EMBEDDED_IMAGE = /^(image|logo|screenshot)(\.url)?$/
const SCREENSHOT_OPTION = /^(element$|overlay\.|screenshot\.)/

/**
 * The values that others imply: an option of a screenshot requests one, and an embedded image is cached longer.
 *
 * @throws {PageError} `EINVALSTTL` for a `staleTtl` above the `ttl`.
 */
export function impliedValues(parsed: Values): Values {
  const implied = new Map<string, Value>()
  if (parsed.get('screenshot') || hasScreenshotOption(parsed)) implied.set('screenshot', true)
  const embed = parsed.get('embed')
  if ((embed === true && implied.has('screenshot')) || EMBEDDED_IMAGE.test(String(embed)))
    implied.set('ttl', MAX_TTL_MS).set('staleTtl', Math.min(Number(parsed.get('ttl') ?? DAY_MS), DAY_MS))

  const ttlMs = parsed.get('ttl') ?? implied.get('ttl') ?? fields.ttl.default
  if (Number(parsed.get('staleTtl')) > Number(ttlMs))
    throw invalidParameter('staleTtl', 'must not be longer than ttl', fields.staleTtl.code)
  return implied
}

/** The values in the form in which a query is written and hashed: without those that are implied, and without defaults. */
export function canonicalValues(parsed: Values, implied: Values): Values {
  const values = new Map(parsed)
  // One `true` selects only the fields that are `true`, whatever the value of the parameter itself.
  const isSelection = [...values].some(([name, value]) => name.startsWith('meta.') && value)
  if (isSelection) values.set('meta', false)
  // A field of `ping` or `meta` defaults to the value of its parent.
  const defaultOf = (name: string) =>
    (Object.hasOwn(fields, name) ? implied.get(name) : values.get(groupOf(name))) ?? parameterOf(name).default
  const canonical = new Map([...values].filter(([name, value]) => value !== defaultOf(name)))
  if (isSelection) canonical.delete('meta')
  canonical.delete('screenshot')
  // An option that is a default is left out, and implies nothing.
  if (implied.has('screenshot') && !hasScreenshotOption(canonical)) canonical.set('screenshot', true)
  return canonical
}

const hasScreenshotOption = (values: Values) => [...values.keys()].some((name) => SCREENSHOT_OPTION.test(name))
