import { fields } from '../../query/index.js'

/** What is read from an attribute that is no word of the language, and how. */
const OPTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  layout: String,
  theme: String,
  loading: String,
  alt: String,
  locale: String,
  priority: (text) => text !== 'false',
  refreshInterval: Number,
}
const CHOSEN_NAME = /^(headers|ping|meta|click|styles)[-.](.+)$/

/** HTML knows no capitals, and dots look strange in it: `screenshot-full-page`, `screenshot.fullpage`, `fullpage` are one. */
const squash = (name: string) => name.replace(/[-_.]|^screenshot[-_.]?(?=.)/g, '').toLowerCase()

const NAMES = new Map([...Object.keys(fields), ...Object.keys(OPTIONS)].map((name) => [squash(name), name]))

const groupOf = (name: string) => name.replace(/\..*/, '')
const WORDS: ReadonlySet<string> = new Set(Object.keys(fields).map(groupOf))

/** Whether a prop is a word of the language, or an option of one. */
export const isWord = (name: string): boolean => WORDS.has(groupOf(name))

/** The words and options that are properties of the element too, but for those that mean something else on every element. */
export const PROPERTIES: readonly string[] = [...WORDS, ...Object.keys(OPTIONS), 'data', 'messages'].filter(
  (name) => !(name in HTMLElement.prototype),
)

/**
 * Reads the words of the language and the options of a preview from attributes; all others are left out.
 *
 * @param prefix  `data-` on elements that are not ours.
 */
export function readAttributes(element: Element, prefix: '' | 'data-' = ''): Record<string, unknown> {
  const props: Record<string, unknown> = {}
  for (const { name: attribute, value } of element.attributes) {
    if (!attribute.startsWith(prefix)) continue
    const written = attribute.slice(prefix.length)
    const name = CHOSEN_NAME.test(written) ? written.replace(CHOSEN_NAME, '$1.$2') : NAMES.get(squash(written))
    if (name) props[name] = OPTIONS[name]?.(value) ?? value
  }
  return props
}
