import type { Look } from './preview-elements.js'

/** The class of each part: ours first, the author's after it. */
export function partNames({ classNames = {}, unstyled }: Look): (part: string) => string | undefined {
  const given: Readonly<Record<string, string>> = classNames
  return (part) => join(!unstyled && (part === 'root' ? 'page-preview' : `pp-${part}`), given[part])
}

/** Class names in a row; `undefined` when there are none. */
export const join = (...names: (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined
