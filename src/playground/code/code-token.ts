/** A piece of code: plain, or with the kind that determines its colour. */
export type CodeToken = string | readonly [kind: 'keyword' | 'string' | 'tag' | 'attribute' | 'comment', text: string]

/** The code as plain text. */
export const codeText = (tokens: readonly CodeToken[]): string =>
  tokens.map((token) => (typeof token === 'string' ? token : token[1])).join('')

/** Concatenates lists of tokens with a separator, like `Array.join`. */
export const joinTokens = (lists: readonly (readonly CodeToken[])[], separator: string): CodeToken[] =>
  lists.flatMap((tokens, index) => (index ? [separator, ...tokens] : [...tokens]))
