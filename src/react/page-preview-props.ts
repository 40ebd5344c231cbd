import type { HTMLAttributeReferrerPolicy, HTMLAttributes, ReactNode, Ref } from 'react'
import { fields, type PageData, type PageError, type PageQuery } from '../query/index.js'
import type { SourceOptions } from './data/index.js'
import type { Messages } from './messages/index.js'
import type { Look } from './preview-elements.js'

export type Layout = NonNullable<Look['layout']>

/** What a preview is beside its query. */
export interface PreviewOptions extends SourceOptions, Look {
  /** Default `auto`: the nearest `data-theme`, else the system's. */
  theme?: 'auto' | 'light' | 'dark' | undefined
  /** Of the picture; default "Screenshot of {host}". */
  alt?: string | undefined
  /** What the hosts of pictures and icons are told of this page; default: what the page says. */
  referrerPolicy?: HTMLAttributeReferrerPolicy | undefined
  /** BCP 47, for numbers, sizes and ages. Default: that of the messages. */
  locale?: string | undefined
  /** Words in the place of the English ones, in part or in full: `import { de } from 'page-preview/messages'`. */
  messages?: Partial<Messages> | undefined
  /** Stands in the place of the picture while it is awaited. Default: an empty box. */
  placeholder?: ReactNode
  /** Stands in the place of the picture when there is none. Default: the page's icon, or its first letter. */
  fallback?: ReactNode
  /** The answer is there, the first time for this query. */
  onLoad?: ((page: PageData) => void) | undefined
  onError?: ((error: PageError) => void) | undefined
  /** A newer answer is shown in the place of an older one. */
  onRefresh?: ((page: PageData) => void) | undefined
}

/** Every word of the query language, the options above, and any attribute of the root element; the words go first. */
export interface PagePreviewProps
  extends PageQuery, PreviewOptions, Omit<HTMLAttributes<HTMLElement>, keyof PageQuery | keyof PreviewOptions> {
  /** Gets the root element, with React 19. */
  ref?: Ref<HTMLElement> | undefined
}

const groupOf = (name: string) => name.split('.')[0]
const WORDS = new Set(Object.keys(fields).map(groupOf))

const OPTIONS: Record<keyof PreviewOptions, true> = {
  hosts: true,
  apiKey: true,
  fetch: true,
  queryClient: true,
  refreshInterval: true,
  data: true,
  layout: true,
  theme: true,
  loading: true,
  priority: true,
  alt: true,
  referrerPolicy: true,
  locale: true,
  messages: true,
  placeholder: true,
  fallback: true,
  components: true,
  classNames: true,
  unstyled: true,
  onLoad: true,
  onError: true,
  onRefresh: true,
}

export interface SplitProps {
  query: PageQuery
  options: PreviewOptions
  attributes: HTMLAttributes<HTMLElement>
}

/** Sorts props into the query, the options, and what is left for the root element. */
export function splitProps(props: PagePreviewProps): SplitProps {
  const split = { query: {}, options: {}, attributes: {} } as SplitProps &
    Record<keyof SplitProps, Record<string, unknown>>
  for (const [name, value] of Object.entries(props)) {
    const kind = WORDS.has(groupOf(name)) ? 'query' : name in OPTIONS ? 'options' : 'attributes'
    split[kind][name] = value
  }
  return split
}
