import { fields, type ParameterName } from '../../query/index.js'

/** Texts of the form by word; a word at its default is absent. `headers` and lists have one entry per line. */
export type FormWords = Readonly<Record<string, string>>

/** Changes one word, and what goes with it: an option of `screenshot` needs a screenshot, and goes with it. */
export function setWord(words: FormWords, name: string, text: string): FormWords {
  const { [name]: _, ...others } = words
  const isDefault = text === '' || text === defaultText(name)
  if (!isDefault) return { ...others, [name]: text, ...(needsScreenshot([name, text]) && { screenshot: 'true' }) }
  return name === 'screenshot'
    ? Object.fromEntries(Object.entries(others).filter((entry) => !needsScreenshot(entry)))
    : others
}

/** Turns one field of `ping` or `meta` on or off; `of` are all that the form offers. */
export function setField(
  words: FormWords,
  group: 'ping' | 'meta',
  { field, isOn, of }: { field: string; isOn: boolean; of: readonly string[] },
): FormWords {
  const off = of.filter((other) => (other === field ? !isOn : !isFieldOn(words, group, other)))
  const rest = Object.entries(words).filter(([name]) => name !== group && !name.startsWith(`${group}.`))
  const said = off.length === of.length ? [[group, 'false']] : off.map((other) => [`${group}.${other}`, 'false'])
  return Object.fromEntries([...rest, ...said])
}

export function isFieldOn(words: FormWords, group: 'ping' | 'meta', field: string): boolean {
  return (words[`${group}.${field}`] ?? words[group]) !== 'false'
}

/** A page without the selectors that were meant for another one. */
export function changePage(words: FormWords, url: string): FormWords {
  const kept = Object.entries(words).filter(([name]) => !OF_ONE_PAGE.has(name))
  return { ...Object.fromEntries(kept), url }
}

/** The default as it would be written, `''` when there is none. */
export function defaultText(name: string): string {
  return Object.hasOwn(fields, name) ? String(fields[name as ParameterName].default ?? '') : ''
}

const OF_ONE_PAGE = new Set(['url', 'element', 'waitForSelector', 'click', 'scroll'])

function needsScreenshot([name, text]: readonly [string, string]): boolean {
  return /^(element$|overlay\.|screenshot\.)/.test(name) || (name === 'embed' && text === 'true')
}
