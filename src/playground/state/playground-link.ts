import { fields } from '../../query/index.js'
import type { Layout } from '../../react/index.js'
import { setWord, type FormWords } from './form-words.js'

export type Theme = 'auto' | 'light' | 'dark'

/** Width of the card's column in CSS pixels, or all there is. */
export type ColumnWidth = number | 'fill'

/** All that a link to the playground keeps. */
export interface PlaygroundState {
  words: FormWords
  layout: Layout
  theme: Theme
  width: ColumnWidth
}

export const LAYOUTS = ['card', 'row', 'image', 'inline'] as const satisfies readonly Layout[]
export const THEMES = ['auto', 'light', 'dark'] as const satisfies readonly Theme[]
export const NARROWEST_PX = 200
export const WIDEST_PX = 1_400
export const FIRST_STATE: PlaygroundState = { words: {}, layout: 'card', theme: 'auto', width: 402 }

/** The state as the text behind `#`, without what must not travel in links: keys, cookies, credentials. */
export function writeLink({ words, ...look }: PlaygroundState): string {
  const { headers, ...plain } = words
  const shared = headers?.split('\n').filter((line) => !SECRET.test(line))
  const changed = LOOK.filter((name) => look[name] !== FIRST_STATE[name])
  return new URLSearchParams([
    ...Object.entries(plain),
    ...(shared?.length ? [['headers', shared.join('\n')]] : []),
    ...changed.map((name) => [name, String(look[name])]),
  ]).toString()
}

/** Reads what `writeLink` wrote, and any query that somebody put there by hand; what it does not know it leaves out. */
export function readLink(hash: string): PlaygroundState {
  const entries = new URLSearchParams(hash.replace(/^#/, ''))
  let words: FormWords = {}
  for (const [name, text] of entries) {
    const header = /^headers\.(.+)/.exec(name)?.[1]
    if (header) words = setWord(words, 'headers', [words.headers, `${header}: ${text}`].filter(Boolean).join('\n'))
    else if (isWord(name)) words = setWord(words, name, text === '' ? 'true' : text)
  }
  return {
    words,
    layout: LAYOUTS.find((layout) => layout === entries.get('layout')) ?? FIRST_STATE.layout,
    theme: THEMES.find((theme) => theme === entries.get('theme')) ?? FIRST_STATE.theme,
    width: readWidth(entries.get('width')),
  }
}

/** A width that a card can be looked at in. */
export const fitWidth = (px: number) => Math.round(Math.min(WIDEST_PX, Math.max(NARROWEST_PX, px)))

const LOOK = ['layout', 'theme', 'width'] as const
const SECRET = /^\s*(authorization|cookie|api[-_]?key|x-api-key)\s*:/i

const isWord = (name: string) => Object.hasOwn(fields, name) || /^(ping|meta)\.\w+$/.test(name)

function readWidth(text: string | null): ColumnWidth {
  if (text === 'fill') return text
  return /^\d{1,4}$/.test(text ?? '') ? fitWidth(Number(text)) : FIRST_STATE.width
}
