import type { HTMLAttributes } from 'react'
import { canonicalLocale } from '../../card/index.js'
import { fields, type PageQuery } from '../../query/index.js'
import type { PagePreviewProps, PreviewOptions } from './page-preview-props.js'

/** `screenshot.fullPage` and `screenshot` are both the prop `screenshot`. */
const propOf = (parameter: string) => parameter.split('.')[0]
const QUERY_PROPS = new Set(Object.keys(fields).map(propOf))

/** The names of `PreviewOptions`, as one text because that takes the fewest bytes; a test holds them to the type. */
const OPTION_PROPS = new Set(
  'hosts apiKey fetch queryClient refreshInterval data layout theme loading priority alt facts referrerPolicy locale messages placeholder fallback components classNames unstyled onLoad onError onRefresh'.split(
    ' ',
  ),
)

export interface SplitProps {
  query: PageQuery
  options: PreviewOptions
  /** For the root element. */
  attributes: HTMLAttributes<HTMLElement>
}

/** Separates props into the query, the options and the attributes of the root element. */
export function splitProps(props: PagePreviewProps): SplitProps {
  const split = { query: {}, options: {}, attributes: {} } as SplitProps &
    Record<keyof SplitProps, Record<string, unknown>>
  for (const [name, value] of Object.entries(props)) {
    const group = OPTION_PROPS.has(name) ? 'options' : QUERY_PROPS.has(propOf(name)) ? 'query' : 'attributes'
    split[group][name] = value
  }
  // The reader of the card is the reader of the page; a card accepts any text.
  const { locale } = split.options
  return locale === undefined ? split : { ...split, query: { ...split.query, locale: canonicalLocale(locale) } }
}
