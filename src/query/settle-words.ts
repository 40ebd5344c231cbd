import { fields, type Word } from './fields.js'
import { invalid } from './name-word.js'
import type { Words } from './read-words.js'

const SCREENSHOT_OPTION = /^(element$|overlay|screenshot\.)/

/**
 * Makes words that mean the same the same: what is a default, for this very query, is left out.
 *
 * @returns  Beside the words, the defaults that differ from the table's: an embedded image is kept longer.
 * @throws   {PageError} `EINVALSTTL`.
 */
export function settleWords(given: Words) {
  const words: Words = new Map()
  const hasOption = (list: Words) => [...list.keys()].some((name) => SCREENSHOT_OPTION.test(name))
  const isScreenshot = given.get('screenshot') === true || hasOption(given)
  const embed = given.get('embed')
  const isImage = embed === true ? isScreenshot : /^(image|logo|screenshot)(\.url)?$/.test(String(embed))

  const ttl = Number(given.get('ttl') ?? fields.ttl[isImage ? 'max' : 'default'])
  if (Number(given.get('staleTtl')) > ttl) throw invalid('staleTtl', 'must not be longer than ttl')
  const defaults = isImage ? { ttl: fields.ttl.max, staleTtl: Math.min(fields.ttl.default, ttl) } : {}

  const isMetaOnly = [...given].some(([name, value]) => name.startsWith('meta.') && value)
  const bases = { ping: given.get('ping') ?? true, meta: !isMetaOnly && (given.get('meta') ?? true) }
  for (const [name, value] of [...given, ...listsOf(given)]) {
    const group = /^(ping|meta)\./.exec(name)?.[1]
    const fallback = group ? bases[group as 'ping'] : (defaults[name as 'ttl'] ?? fields[name as Word]?.default)
    if (value !== fallback && !/^screenshot$|\.\d+$/.test(name) && !(name === 'meta' && isMetaOnly))
      words.set(name, value)
  }
  if (isScreenshot && !hasOption(words)) words.set('screenshot', true)
  return { words, isScreenshot, defaults }
}

/** `click.0`, `click.1` … in their order; they beat a plain `click`. */
function listsOf(given: Words): [string, string | string[]][] {
  return ['click', 'styles', 'filter'].flatMap((list) => {
    const parts = [...given]
      .filter(([name]) => name.startsWith(`${list}.`))
      .sort((a, b) => a[0].localeCompare(b[0], undefined, { numeric: true }))
      .map(([, value]) => String(value))
    return parts.length
      ? [[list, list === 'filter' ? fields.filter.read(parts.join())! : parts.length > 1 ? parts : parts[0]!]]
      : []
  })
}
