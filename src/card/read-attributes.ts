import { durationMs, isScreenshotOption, parameterGroups } from '../query/help/index.js'
import { fields, type Parameter } from '../query/index.js'

const isOn = (text: string) => !/^(off|false)$/.test(text)

/**
 * The options of a preview that can be attributes, and how each value is parsed: `undefined` if it is invalid. The parameters of the
 * query stay text.
 */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  layout: String,
  theme: String,
  loading: String,
  alt: String,
  locale: String,
  priority: isOn,
  imageDetails: isOn,
  refreshInterval: (text) => durationMs(text) || undefined,
}

/** Lists and open names, followed by an index or by what the caller chooses: `element-0`, `headers-user-agent`. */
const OPEN_ENDED = new RegExp(
  `^(${Object.entries<Parameter>(fields)
    .flatMap(([name, { subKey }]) => (subKey ? name : []))
    .join('|')})[-.](.+)$`,
)

/** HTML attributes are case-insensitive: `screenshot-full-page`, `screenshot.fullpage` and `fullpage` all mean one parameter. */
const foldedName = (name: string) => name.replace(/[-_.]/g, '').toLowerCase()

const NAMES = new Map(
  [...Object.keys(fields), ...Object.keys(PARSERS)].flatMap((name) =>
    spellings(name).map((spelling) => [foldedName(spelling), name] as const),
  ),
)

/** An option of `screenshot` is written with that prefix or without it. */
function spellings(name: string): string[] {
  if (!isScreenshotOption(name)) return [name]
  const option = name.replace('screenshot.', '')
  return [option, `screenshot.${option}`]
}

/** All parameters, with one name for each group of them, and the options of a preview that can be attributes. */
export const attributeOptions: readonly string[] = [...new Set([...parameterGroups, ...Object.keys(PARSERS)])]

/**
 * Reads query parameters and preview options from attributes; all others are left out.
 *
 * @param attributes  The attributes of an element, or names in lower case and values from a parser of HTML.
 * @param prefix      `data-` for elements other than `<page-preview>`.
 * @param onUnknown   Called with the name of each other attribute, without the prefix.
 */
export function readAttributes(
  attributes: Iterable<{ readonly name: string; readonly value: string }>,
  prefix: '' | 'data-' = '',
  onUnknown?: (name: string) => void,
): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const attribute of attributes) {
    if (!attribute.name.startsWith(prefix)) continue
    const text = attribute.name.slice(prefix.length)
    const name = OPEN_ENDED.test(text) ? text.replace(OPEN_ENDED, '$1.$2') : NAMES.get(foldedName(text))
    if (!name) onUnknown?.(text)
    if (!name) continue
    const parse = PARSERS[name]
    const value = parse ? parse(attribute.value) : attribute.value
    if (value !== undefined) options[name] = value
  }
  return options
}
