import type { fields, Word } from './fields.js'
import { PageError, type ErrorCode } from './page-error.js'

export type Value = string | number | boolean | readonly string[] | undefined

const DURATION =
  /^(-?[\d.]+) *(?:(ms|milliseconds?)|(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hrs?|hours?)|(d|days?))?$/i

/** The error for one bad word; its reason reads on from the word's name. */
export const invalid = (name: string, reason: string, code: ErrorCode = 'EINVALQUERY') =>
  new PageError(code, `${name} ${reason}.`, { data: { [name]: reason } })

function toMilliseconds(text: string): number {
  const [, amount, , second, minute, hour, day] = DURATION.exec(text) ?? []
  return Number(amount) * (day ? 86_400_000 : hour ? 3_600_000 : minute ? 60_000 : second ? 1_000 : 1)
}

/**
 * Reads the text of one word.
 *
 * @param name  As it shall be called in an error.
 * @returns     `undefined` for a value that says "nothing" (`embed=false`).
 * @throws      {PageError} `EINVALQUERY`, `EINVALTTL`, `EINVALSTTL`.
 */
export function readValue(field: (typeof fields)[Word], text: string, name: string): Value {
  const { type } = field
  const isFalse = text === 'false'
  const isBoolean = isFalse || text === '' || text === 'true'
  if (type === 'boolean' || type === 'switches') {
    if (isBoolean) return !isFalse
    throw invalid(name, 'must be true or false')
  }
  if (type === 'embed' && isBoolean) return isFalse ? undefined : true
  if (type === 'stale' && isFalse) return false
  if (type === 'choice') {
    if ((field.values as readonly string[]).includes(text)) return text
    throw invalid(name, `must be ${field.values.join(' or ')}`)
  }
  if ('max' in field) {
    const value = type === 'number' ? Number(text.trim() || NaN) : toMilliseconds(text.trim())
    const { min, max } = field
    if (Number.isNaN(value) || (type === 'number' && field.step && value % field.step))
      throw invalid(name, `must be a ${type === 'number' ? 'whole number' : 'duration like 90s'}`)
    if (value >= min && value <= max) return value
    throw invalid(
      name,
      `must lie between ${min} and ${max}`,
      name === 'ttl' ? 'EINVALTTL' : type === 'stale' ? 'EINVALSTTL' : undefined,
    )
  }
  const value = type === 'paths' ? [...new Set(text.split(/[\s,]+/))].filter(Boolean).sort().join() : text.trim()
  if (value || type === 'url') return value
  throw invalid(name, 'must not be empty')
}
