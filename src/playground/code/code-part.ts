/** A piece of code: plain, or with the kind that gives it its colour. */
export type CodePart = string | readonly ['keyword' | 'string' | 'tag' | 'attribute' | 'comment', string]

/** The code itself, as it is copied. */
export const codeText = (parts: readonly CodePart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part[1])).join('')

/** Puts parts between others. */
export const joinParts = (lines: readonly (readonly CodePart[])[], between: string): CodePart[] =>
  lines.flatMap((line, at) => (at ? [between, ...line] : [...line]))
