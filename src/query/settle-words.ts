import { fields, type Word } from './fields.js'
import { PageError } from './page-error.js'
import type { Value } from './read-value.js'
import type { Words } from './read-words.js'

/** Words that mean the same made the same: what is a default, for this very query, is left out. */
export interface SettledWords {
  words: Words
  isScreenshot: boolean
  /** The defaults of this query where they differ from the table: an embedded image is kept longer. */
  defaults: Readonly<Record<string, Value>>
}

const MAX_URL_LENGTH = 8_192
const SCREENSHOT_OPTION = /^(element$|overlay\.|screenshot\.)/

/** @throws {PageError} `EINVALURL`, `EINVALSTTL`. */
export function settleWords(given: Words): SettledWords {
  checkUrl(given.get('url'))
  const names = [...given.keys()]
  const isScreenshot = given.get('screenshot') === true || names.some((name) => SCREENSHOT_OPTION.test(name))
  const defaults = imageDefaults(given, isScreenshot)
  if (Number(given.get('staleTtl')) > Number(given.get('ttl') ?? defaults.ttl ?? fields.ttl.default)) {
    const reason = 'must not be longer than ttl'
    throw new PageError('EINVALSTTL', reason, { data: { staleTtl: reason } })
  }

  const isMetaOnly = names.some((name) => name.startsWith('meta.') && given.get(name))
  const defaultOf = (name: string): Value => {
    if (name.startsWith('ping.')) return given.get('ping') ?? true
    if (name.startsWith('meta.')) return !isMetaOnly && (given.get('meta') ?? true)
    if (name === 'meta' && isMetaOnly) return given.get(name)
    return defaults[name] ?? (fields[name as Word] as { default?: Value } | undefined)?.default
  }
  const words: Words = new Map()
  for (const [name, value] of given)
    if (name !== 'screenshot' && value !== undefined && value !== defaultOf(name)) words.set(name, value)
  if (isScreenshot && ![...words.keys()].some((name) => SCREENSHOT_OPTION.test(name))) words.set('screenshot', true)
  return { words, isScreenshot, defaults }
}

function checkUrl(text: Value): void {
  const url = typeof text === 'string' && URL.canParse(text) && new URL(text)
  const reason = !text
    ? 'is missing'
    : !url || !/^https?:$/.test(url.protocol)
      ? 'must be absolute, with http or https'
      : url.username || url.password
        ? 'must not carry a user name or password'
        : String(text).length > MAX_URL_LENGTH && `must not be longer than ${MAX_URL_LENGTH} characters`
  if (reason) throw new PageError('EINVALURL', `url ${reason}`, { data: { url: reason } })
}

function imageDefaults(given: Words, isScreenshot: boolean): SettledWords['defaults'] {
  const embed = given.get('embed')
  const isImage = embed === true ? isScreenshot : /^(image|logo|screenshot)(\.url)?$/.test(String(embed))
  if (!isImage) return {}
  return { ttl: fields.ttl.max, staleTtl: Math.min(fields.ttl.default!, Number(given.get('ttl') ?? fields.ttl.max)) }
}
