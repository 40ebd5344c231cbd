import type { StylingProps } from '../props/styling-props.js'

/** The class names of each part: the library's first, the caller's after it. */
export function classNamesOf({ classNames = {}, unstyled }: StylingProps): (part: string) => string | undefined {
  const callerNames: Readonly<Record<string, string>> = classNames
  return (part) => joinNames(!unstyled && (part === 'root' ? 'page-preview' : `pp-${part}`), callerNames[part])
}

/** The value of a `class` attribute; `undefined` when there is none. */
export const joinNames = (...names: (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined
