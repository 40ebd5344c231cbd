import { fields } from '../query/index.js'
import type { Layout } from '../react/index.js'
import { useCallback, useEffect, useState } from 'react'
import { type FormValues, setValue } from './form-values.js'

// Browsers throttle frequent changes: https://developer.mozilla.org/en-US/docs/Web/API/History/replaceState#exceptions
const WRITE_DELAY_MS = 250

/**
 * The state of the playground, synchronised with the URL fragment.
 *
 * @param onNavigate  Called when the user navigates to another fragment.
 */
export function useUrlState(onNavigate: (state: PlaygroundState) => void) {
  const [state, setState] = useState(() => readLink(location.hash))

  useEffect(() => {
    const write = () => history.replaceState(history.state, '', `#${writeLink(state)}`)
    const timer = setTimeout(write, WRITE_DELAY_MS)
    addEventListener('pagehide', write)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', write)
    }
  }, [state])

  useEffect(() => {
    const onHashChange = () => {
      const next = readLink(location.hash)
      setState(next)
      onNavigate(next)
    }
    addEventListener('hashchange', onHashChange)
    return () => removeEventListener('hashchange', onHashChange)
  }, [onNavigate])

  const change = useCallback(
    (changes: Partial<PlaygroundState>) => setState((current) => ({ ...current, ...changes })),
    [],
  )
  return [state, change] as const
}

export type Theme = 'auto' | 'light' | 'dark'

/** Width of the preview's column in CSS pixels, or all available space. */
export type ColumnWidth = number | 'fill'

/** Everything that a link to the playground restores. */
export interface PlaygroundState {
  values: FormValues
  layout: Layout
  theme: Theme
  width: ColumnWidth
}

export const LAYOUTS = ['card', 'row', 'image', 'inline'] as const satisfies readonly Layout[]
export const THEMES = ['auto', 'light', 'dark'] as const satisfies readonly Theme[]
export const MIN_WIDTH_PX = 200
export const MAX_WIDTH_PX = 1_400
export const INITIAL_STATE: PlaygroundState = { values: {}, layout: 'card', theme: 'auto', width: 402 }

/** Serialises the state as a URL fragment, without headers that may hold a key, a cookie or credentials. */
export function writeLink({ values, ...appearance }: PlaygroundState): string {
  const { headers, ...parameters } = values
  const shareableHeaders = headers?.split('\n').filter((line) => HARMLESS_HEADER.test(line))
  const changed = APPEARANCE.filter((name) => appearance[name] !== INITIAL_STATE[name])
  return new URLSearchParams([
    ...Object.entries(parameters),
    ...(shareableHeaders?.length ? [['headers', shareableHeaders.join('\n')]] : []),
    ...changed.map((name) => [name, String(appearance[name])]),
  ]).toString()
}

/** Parses what `writeLink` wrote, or a query written by hand; unknown parameters are ignored. */
export function readLink(hash: string): PlaygroundState {
  const entries = new URLSearchParams(hash.replace(/^#/, ''))
  let values: FormValues = {}
  for (const [name, text] of entries) {
    const header = /^headers\.(.+)/.exec(name)?.[1]
    if (header) values = setValue(values, 'headers', [values.headers, `${header}: ${text}`].filter(Boolean).join('\n'))
    else if (isParameter(name)) values = setValue(values, name, text === '' ? 'true' : text)
  }
  return {
    values,
    layout: LAYOUTS.find((layout) => layout === entries.get('layout')) ?? INITIAL_STATE.layout,
    theme: THEMES.find((theme) => theme === entries.get('theme')) ?? INITIAL_STATE.theme,
    width: parseWidth(entries.get('width')),
  }
}

/** Limits a width to the range of the column. */
export const clampWidth = (px: number) => Math.round(Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, px)))

const APPEARANCE = ['layout', 'theme', 'width'] as const
/** Any other may be an invention for a secret, such as `x-auth-token`. */
const HARMLESS_HEADER = /^\s*(accept(-\w+)*|user-agent|referer|dnt|sec-(ch|fetch|gpc)[-\w]*|cache-control|pragma)\s*:/i

const isParameter = (name: string) => Object.hasOwn(fields, name) || /^(ping|meta)\.\w+$/.test(name)

function parseWidth(text: string | null): ColumnWidth {
  if (text === 'fill') return text
  return /^\d{1,4}$/.test(text ?? '') ? clampWidth(Number(text)) : INITIAL_STATE.width
}
