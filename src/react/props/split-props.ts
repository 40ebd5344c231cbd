import type { HTMLAttributes } from 'react'
import { canonicalLocale } from '../../card/index.js'
import { fields, type PageQuery } from '../../query/index.js'
import { unknownPropWarning, warnOnce } from '../warnings.js'
import type { PagePreviewProps, PreviewOptions } from './page-preview-props.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

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
  /** Attributes of the root element. */
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
  if (process.env.NODE_ENV !== 'production' && typeof document === 'object') warnOfUnknownProps(split.attributes)
  // The page is requested in the language of the card, which accepts any text as its locale.
  const { locale } = split.options
  return locale === undefined ? split : { ...split, query: { ...split.query, locale: canonicalLocale(locale) } }
}

const checkedNames = new Set<string>()

function warnOfUnknownProps(attributes: object): void {
  for (const name of Object.keys(attributes)) {
    if (checkedNames.has(name)) continue
    checkedNames.add(name)
    const warning = unknownPropWarning(name, OPTION_PROPS)
    if (warning) warnOnce(warning)
  }
}
