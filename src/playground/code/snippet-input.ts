import type { ParsedQuery } from '../../query/index.js'
import type { Layout } from '../../react/index.js'
import type { Theme } from '../state/playground-link.js'

/** What the code snippets are generated from. */
export interface SnippetInput {
  query: ParsedQuery
  layout: Layout
  theme: Theme
  /** Base URLs without a trailing slash. */
  endpoint: { free: string; pro: string }
  /** Whether to use the pro host; snippets never contain the key itself. */
  hasKey: boolean
  /** Pixels; `undefined` before the first response. */
  imageSize?: { width: number; height: number } | undefined
}
