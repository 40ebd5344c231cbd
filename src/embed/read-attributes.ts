import { fields } from '../query/index.js'

const OPTIONS = ['layout', 'theme', 'loading', 'alt', 'locale']
const CHOSEN_NAME = /^(headers|ping|meta|click|styles)[-.](.+)$/

/** HTML knows no capitals, and dots look strange in it: `screenshot-full-page`, `screenshot.fullpage`, `fullpage` are one. */
const squash = (name: string) => name.replace(/[-_.]/g, '').toLowerCase()

const NAMES = new Map([...Object.keys(fields).flatMap(spellings), ...OPTIONS.map((name) => [name, name] as const)])

/**
 * Reads the words of the language and the options of a preview from attributes; all others are left out.
 *
 * @param prefix  `data-` on elements that are not ours.
 */
export function readAttributes(element: Element, prefix: '' | 'data-' = ''): Record<string, string> {
  const props: Record<string, string> = {}
  for (const { name: attribute, value } of element.attributes) {
    if (!attribute.startsWith(prefix)) continue
    const written = attribute.slice(prefix.length)
    const name = CHOSEN_NAME.test(written) ? written.replace(CHOSEN_NAME, '$1.$2') : NAMES.get(squash(written))
    if (name) props[name] = value
  }
  return props
}

function spellings(word: string): (readonly [string, string])[] {
  const short = word.replace(/^screenshot\./, '')
  return [word, short, `screenshot.${short}`].map((spelling) => [squash(spelling), word])
}
