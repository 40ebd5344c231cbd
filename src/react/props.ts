import type { QueryClient } from '@tanstack/react-query'
import type { HTMLAttributes, ReactNode, Ref } from 'react'
import { canonicalLocale, type Layout } from '../card/index.js'
import type { ClientOptions, PageResult } from '../client/index.js'
import type { PageData, PageError, PageQuery, ScreenshotOptions } from '../query/index.js'
import type { Messages } from './messages/messages.js'
import { warnOfUnknownProps, warnOnce } from './warnings.js'

// No directive: server components split their props too.

/** The parameters of the query that are props; all others are in the prop `query`. */
export interface CaptureProps extends Pick<PageQuery, 'element' | 'overlay' | 'device' | 'ttl' | 'staleTtl'> {
  /**
   * The page to preview: its http(s) URL, whose scheme may be left out.
   *
   * @example url: 'https://example.com'
   */
  readonly url: string
  /**
   * Adds a screenshot of the page: `true`, or its options.
   *
   * @default false
   * @example screenshot: { fullPage: true, type: 'webp' }
   */
  readonly screenshot?: boolean | ScreenshotProp | undefined
  /**
   * Shows an image by a URL of the service, requested without waiting for the data; `true`: the screenshot. With an `apiKey` the image
   * comes with the data.
   *
   * @default false
   * @example embed: true
   */
  readonly embed?: boolean | EmbeddedImage | undefined
  /**
   * Every other parameter of the query language.
   *
   * @example query: { viewport: { width: 640 }, waitForSelector: '#chart' }
   */
  readonly query?: QueryProp | undefined
}

/** An image that the service delivers itself, as in the parameter `embed`. */
export type EmbeddedImage = `${'screenshot' | 'image' | 'logo'}${'' | '.url'}`

/** The options of `screenshot`. */
export type ScreenshotProp = Omit<ScreenshotOptions, 'element' | 'overlay' | 'history'>

/** The parameters that are not props of their own. */
export type QueryProp = Omit<
  PageQuery,
  'url' | 'screenshot' | 'element' | 'overlay' | 'embed' | 'device' | 'ttl' | 'staleTtl'
>

/** How a server component requests the page; nothing of it is sent to browsers, which ignore it. */
export interface ServerOptions {
  /**
   * Absolute URL of the service, as the server reaches it. Default: the `endpoint` of the preview.
   *
   * @example endpoint: 'http://previews.internal:3000'
   */
  endpoint?: ClientOptions['endpoint']
  /**
   * The service's key. Without one here, the `apiKey` of the preview.
   *
   * @example apiKey: process.env.PAGE_PREVIEW_API_KEY
   */
  apiKey?: string | undefined
  /**
   * In place of the network: `fetch` of the `createProxy` in the same process, or your own. Without an absolute `endpoint` its URL
   * is relative.
   *
   * @example fetch: proxy.fetch
   */
  fetch?: ClientOptions['fetch']
  /**
   * How long the page waits for the service, in milliseconds; then the browser fetches the preview.
   *
   * @default 2_000
   * @example timeLimit: 500
   */
  timeLimit?: number | undefined
}

/** What all previews of an app share. */
export interface AppSettings extends Pick<ClientOptions, 'endpoint' | 'apiKey' | 'fetch'> {
  /**
   * Caches the results; its options are never changed. Default: the app's own from `QueryClientProvider`, else a client that
   * all previews share.
   *
   * @example queryClient: new QueryClient()
   */
  queryClient?: QueryClient | undefined
  /**
   * Replaces the English texts, all or some. `import { de } from 'page-preview/messages'`. Without a `locale` among them, they also
   * complete those of the provider around this one. Default: the English ones.
   *
   * @example messages: { ...de, retry: 'Erneut versuchen' }
   */
  messages?: Partial<Messages> | undefined
  /**
   * Language of numbers and ages in the previews, and of the requests for pages, as a BCP 47 tag. Default: the language
   * of the messages for the previews, none for the requests.
   *
   * @example locale: 'de-AT'
   */
  locale?: string | undefined
}

/** How one preview gets its data. */
export interface SourceOptions extends Pick<ClientOptions, 'endpoint' | 'apiKey'> {
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
export type PagePreviewQuerySource = Pick<ClientOptions, 'endpoint' | 'apiKey' | 'fetch'> &
  Pick<SourceOptions, 'refreshInterval'>

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

/** The result without its data; empty for the caller's own data. */
export type ResultDetails = Partial<Omit<PageResult, 'data'>>

/** A newer result without its data, and what has changed with it. */
export interface RefreshDetails extends ResultDetails {
  /**
   * The fields of the data that differ from what was shown before; empty if none does. `history` is never among them.
   * `screenshot` is, if any pixel differs: with the parameter `history`, its first version says what changed visibly.
   */
  changed: (keyof PageData)[]
}

/**
 * The options of a preview that are not part of its query. Those without types of React are also the `PreviewOptions` of
 * `page-preview/element`; a test compares them.
 */
export interface PreviewOptions extends SourceOptions {
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
  /**
   * `auto`: the theme of the page around the preview, by the nearest `data-theme`, a class of the page, or `color-scheme`.
   *
   * @default 'auto'
   * @example theme: 'dark'
   */
  theme?: 'auto' | 'light' | 'dark' | undefined
  /**
   * Alternative text of the image. Default: the text that the page has for it, else the title of the page, and until that is known
   * "Screenshot of {host}".
   *
   * @example alt: 'The tide tables of Skerry'
   */
  alt?: string | undefined
  /**
   * Dimensions, type and size of the image are shown, such as "2560 × 1600 · JPG · 272 kB".
   *
   * @default true
   * @example imageDetails: false
   */
  imageDetails?: boolean | undefined
  /**
   * Where the link opens.
   *
   * @example target: '_blank'
   */
  target?: string | undefined
  /**
   * The relation of the page to the link's target.
   *
   * @example rel: 'nofollow'
   */
  rel?: string | undefined
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
   * Called when the first result of a query is shown, with what else the response contains: the page's `statusCode`, its
   * `redirects`, and the state of the cache.
   *
   * @example onLoad: (page, { statusCode }) => console.log(page.title, statusCode)
   */
  onLoad?: ((page: PageData, details: ResultDetails) => void) | undefined
  /**
   * Called when a request has failed and there is no earlier result to show.
   *
   * @example onError: (error) => report(error.code)
   */
  onError?: ((error: PageError) => void) | undefined
  /**
   * Called when a newer result has replaced the shown one, with what has changed.
   *
   * @example onRefresh: (page, { changed }) => console.log(page.title, changed)
   */
  onRefresh?: ((page: PageData, details: RefreshDetails) => void) | undefined
}

/** The props of a preview; every other prop is an attribute of its root element. */
export interface PagePreviewProps
  extends CaptureProps, PreviewOptions, Omit<HTMLAttributes<HTMLElement>, keyof CaptureProps | keyof PreviewOptions> {
  /**
   * Receives the root element: another one once the preview comes near the viewport, so follow it with a function.
   *
   * @example ref: rootRef
   */
  ref?: Ref<HTMLElement> | undefined
  /**
   * How a server component requests the page, where `PagePreview` is asynchronous.
   *
   * @example server: { fetch: proxy.fetch, timeLimit: 500 }
   */
  server?: ServerOptions | undefined
}

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

/** The names of the props, as texts because those take the fewest bytes; a test holds them to the types. */
const SERVER_IN_BROWSER =
  '`server` has no effect in a browser, where everybody can read it: pass it in a server component only.'
const PARAMETER_PROPS = new Set('url screenshot element overlay embed device ttl staleTtl'.split(' '))
const OPTION_PROPS = new Set(
  'endpoint apiKey refreshInterval data layout theme loading priority alt imageDetails target rel placeholder fallback classNames onLoad onError onRefresh'.split(
    ' ',
  ),
)

export interface SplitProps {
  query: PageQuery
  options: PreviewOptions & AppSettings
  /** Attributes of the root element. */
  attributes: HTMLAttributes<HTMLElement>
}

/**
 * Separates props into the query, the options and the attributes of the root element.
 *
 * @param settings  What applies unless the props say otherwise. An `apiKey` among them is not sent to another `endpoint`.
 */
export function splitProps(
  { query, ...props }: CaptureProps & Pick<SourceOptions, 'endpoint'>,
  settings: AppSettings = {},
): SplitProps {
  const { locale } = settings
  const split: Record<keyof SplitProps, Record<string, unknown>> = {
    // The page is requested in the language of the card, which accepts any text as its locale.
    query: { ...(locale !== undefined && { locale: canonicalLocale(locale) }), ...query },
    options: { ...settings, ...(props.endpoint !== undefined && { apiKey: undefined }) },
    attributes: {},
  }
  for (const [name, value] of Object.entries({ ...props, server: undefined })) {
    const group = OPTION_PROPS.has(name) ? 'options' : PARAMETER_PROPS.has(name) ? 'query' : 'attributes'
    // What is `undefined`, such as a prop that a component passes on, is not given.
    if (value !== undefined) split[group][name] = value
  }
  if (process.env.NODE_ENV !== 'production' && typeof document === 'object') {
    warnOfUnknownProps(split.attributes, ['query', ...PARAMETER_PROPS, ...OPTION_PROPS])
    if ((props as Partial<PagePreviewProps>).server) warnOnce(SERVER_IN_BROWSER)
  }
  // Built name by name, which the type checker cannot follow.
  return split as typeof split & SplitProps
}

/** `{ ...base, ...own }`, but what is `undefined`, such as a prop that a component passes on, hides nothing. */
export const assignDefined = <Base extends object, Own extends object>(base?: Base, own?: Own): Base & Own =>
  ({
    ...base,
    ...Object.fromEntries(Object.entries(own ?? {}).filter(([, value]) => value !== undefined)),
  }) as Base & Own

/** The value of a `class` attribute; `undefined` when there is none. */
export const joinNames = (...names: (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined
