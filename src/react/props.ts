import type { QueryClient } from '@tanstack/react-query'
import type { HTMLAttributeReferrerPolicy, HTMLAttributes, ReactNode, Ref } from 'react'
import { canonicalLocale, type Layout } from '../card/index.js'
import type { ClientOptions } from '../client/index.js'
import { isParameter } from '../query/help/index.js'
import type { PageData, PageError, PageQuery } from '../query/index.js'
import type { Messages } from './messages/messages.js'
import { unknownPropWarning, warnOnce } from './warnings.js'

// No directive: server components split their props too.

/** Which service to request, and how. */
export type ServiceOptions = Pick<ClientOptions, 'endpoint' | 'apiKey' | 'fetch'>

/** How one preview gets its data. */
export interface SourceOptions extends ServiceOptions {
  /**
   * Caches the results; its options are never changed. Default: the app's own from `QueryClientProvider`, else a client that
   * all previews share.
   *
   * @example queryClient: new QueryClient()
   */
  queryClient?: QueryClient | undefined
  /**
   * Refetches this often, in milliseconds, while the preview is near the viewport and the window is visible. Default: never.
   *
   * @example refreshInterval: 60_000
   */
  refreshInterval?: number | undefined
  /**
   * The caller's own data: nothing is fetched.
   *
   * @example data: { title: 'Tides', image: { url: '/tides.png' } }
   */
  data?: PageData | undefined
  /**
   * `lazy` fetches once the preview is less than 600 pixels away from the viewport, `eager` on mount.
   *
   * @default 'lazy'
   * @example loading: 'eager'
   */
  loading?: 'lazy' | 'eager' | undefined
  /**
   * Set it for the main preview of a page: it fetches on mount, and its image is downloaded with high priority. On servers React 19
   * also preloads an image whose URL is known (from `embed`, `data` or a prefetched result).
   *
   * @default false
   * @example priority: true
   */
  priority?: boolean | undefined
}

/** Which service to request, and how often to refetch. */
export type PagePreviewQuerySource = ServiceOptions & Pick<SourceOptions, 'refreshInterval'>

/** The parts of a preview. Each has the class name `pp-` and its name in kebab-case: `pp-media`, `pp-image-details`, … */
export type PartName =
  | 'root'
  | 'media'
  | 'image'
  | 'fallback'
  | 'play'
  | 'status'
  | 'body'
  | 'link'
  | 'title'
  | 'description'
  | 'site'
  | 'icon'
  | 'host'
  | 'imageDetails'
  | 'retry'
  | 'skeleton'

/** The appearance of a preview, in addition to its stylesheet. */
export interface StylingProps {
  /**
   * A card, a row with a small image, an image with a caption, or a chip in running text.
   *
   * @default 'card'
   * @example layout: 'row'
   */
  layout?: Layout | undefined
  /**
   * Adds class names by part.
   *
   * @example classNames: { title: 'text-lg' }
   */
  classNames?: Readonly<Partial<Record<PartName, string>>> | undefined
}

/**
 * The options of a preview that are not part of its query. Those without types of React are also the `PreviewOptions` of
 * `page-preview/element`; a test compares them.
 */
export interface PreviewOptions extends SourceOptions, StylingProps {
  /**
   * `auto`: the theme of the page around the preview, by the nearest `data-theme`, a class of the page, or `color-scheme`.
   *
   * @default 'auto'
   * @example theme: 'dark'
   */
  theme?: 'auto' | 'light' | 'dark' | undefined
  /**
   * Alternative text of the image. Default: "Screenshot of {host}"; for the page's own image its text, or "Picture of {host}".
   *
   * @example alt: 'The tide tables of Skerry'
   */
  alt?: string | undefined
  /**
   * Dimensions, type and size of the image are shown, such as "2560 × 1600 · JPG · 272 kB".
   *
   * @default true
   * @example facts: false
   */
  facts?: boolean | undefined
  /**
   * Sent to the hosts of images and icons. Default: the document's referrer policy.
   *
   * @example referrerPolicy: 'no-referrer'
   */
  referrerPolicy?: HTMLAttributeReferrerPolicy | undefined
  /**
   * Language of numbers and ages in the card, and of the request for the page, as a BCP 47 tag. Default: the language
   * of the messages for the card, none for the request.
   *
   * @example locale: 'de-AT'
   */
  locale?: string | undefined
  /**
   * Replaces the English texts, all or some. `import { de } from 'page-preview/messages'`. Default: the English ones.
   *
   * @example messages: { ...de, retry: 'Erneut versuchen' }
   */
  messages?: Partial<Messages> | undefined
  /**
   * Shown in place of the image while it loads. Default: an empty box.
   *
   * @example placeholder: <Spinner />
   */
  placeholder?: ReactNode
  /**
   * Shown in place of a missing image. Default: the page's icon, or the first letter of its host.
   *
   * @example fallback: <p>No image</p>
   */
  fallback?: ReactNode
  /**
   * Called when the first result of a query is shown.
   *
   * @example onLoad: (page) => console.log(page.title)
   */
  onLoad?: ((page: PageData) => void) | undefined
  /**
   * Called when a request has failed and there is no earlier result to show.
   *
   * @example onError: (error) => report(error.code)
   */
  onError?: ((error: PageError) => void) | undefined
  /**
   * Called when a newer result has replaced the shown one.
   *
   * @example onRefresh: (page) => console.log(page.screenshot?.url)
   */
  onRefresh?: ((page: PageData) => void) | undefined
}

/**
 * Every parameter of the query language, the options above, and any attribute of the root element. If a parameter and an
 * attribute have the same name, it is the parameter.
 */
export interface PagePreviewProps
  extends
    Omit<PageQuery, 'locale'>,
    PreviewOptions,
    Omit<HTMLAttributes<HTMLElement>, keyof PageQuery | keyof PreviewOptions> {
  /**
   * Receives the root element, from React 19 on.
   *
   * @example ref: rootRef
   */
  ref?: Ref<HTMLElement> | undefined
}

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

/** The names of `PreviewOptions`, as one text because that takes the fewest bytes; a test holds them to the type. */
const OPTION_PROPS = new Set(
  'endpoint apiKey fetch queryClient refreshInterval data layout theme loading priority alt facts referrerPolicy locale messages placeholder fallback classNames onLoad onError onRefresh'.split(
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
    const group = OPTION_PROPS.has(name) ? 'options' : isParameter(name) ? 'query' : 'attributes'
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
