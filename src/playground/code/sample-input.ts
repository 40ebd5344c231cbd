import type { PageQuery } from '../../query/index.js'
import type { Layout } from '../../react/index.js'
import type { Theme } from '../state/playground-link.js'

/** What all code samples are made from. */
export interface SampleInput {
  query: PageQuery
  layout: Layout
  theme: Theme
  /** Addresses of the service, without slash at the end. */
  hosts: { free: string; pro: string }
  /** The key itself is never part of a sample. */
  hasKey: boolean
  /** Pixels of the picture, once they are known. */
  picture?: { width: number; height: number } | undefined
}
