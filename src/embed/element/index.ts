// The types of the script tag and its element, without React.

import type { Layout } from '../../card/index.js'
import type { ClientOptions, PageResult } from '../../client/index.js'
import type { fields, PageData, PageError, PageQuery, ParameterName, ScreenshotParameter } from '../../query/index.js'
import type { Messages } from '../../react/messages/index.js'

/**
 * The element `<page-preview>`. The link inside, if there is one, is shown without JavaScript, and its text until the title of
 * the page is known. Every parameter and option is a property, except `click`, `scroll` and `title`, which every
 * element has already: these are set through `query`.
 */
export interface PagePreviewElement extends HTMLElement, Omit<PreviewParameters, InheritedName>, PreviewOptions {
  /** Parameters and options that take precedence over the attributes. */
  query: PreviewConfig
}

/** Parameters, or groups of them, whose names are properties of every element. */
export type InheritedName = 'click' | 'scroll' | 'title'

/** The data of the page, and what else the response contains, such as `statusCode`; only the data for data of your own. */
export type LoadDetail = PageData & Partial<Omit<PageResult, 'data'>>

/** The newer result, and the fields that differ from what was shown before: see `RefreshDetails` of `page-preview`. */
export type RefreshDetail = LoadDetail & { changed: (keyof PageData)[] }

/** The `detail` of each event of a preview, by the name after `page-preview:`. */
export interface PreviewEvents {
  /** The first result of this query has loaded. */
  load: LoadDetail
  /** A request has failed, and there is no earlier result to show. */
  error: PageError
  /** A newer result has replaced the shown one. */
  refresh: RefreshDetail
}

/** The events by their full names. */
export type PreviewEventMap = {
  [Name in keyof PreviewEvents as `page-preview:${Name}`]: CustomEvent<PreviewEvents[Name]>
}

/** Handlers for frameworks that accept the name of any event after `on`. */
export type PreviewHandlers = {
  [Name in keyof PreviewEventMap as `on${Name}`]?: ((event: PreviewEventMap[Name]) => void) | undefined
}

/** `window.PagePreview`. */
export interface PreviewScript {
  /** Version of the script, such as `0.1.0`. */
  readonly version: string
  /** Observes the previews below `root` (default: the document): needed for shadow roots, and for links that were marked later. */
  scan(root?: Element | Document | ShadowRoot): void
  /**
   * Renders a preview in `target`, an element or its selector; the content of the element becomes the link of the preview.
   *
   * @throws  When no element matches the selector.
   */
  render(target: Element | string, query: PreviewConfig): PagePreviewElement
  /** Requests one page again, or all of them. */
  refresh(url?: string): Promise<void>
  /** Sets defaults for all previews, such as `endpoint`; the attributes of the script tag and of each element take precedence. */
  configure(options: PreviewConfig): void
  /** Listens to `load`, `error` or `refresh` of all previews; returns the function that stops listening. */
  on<Name extends keyof PreviewEvents>(
    event: Name,
    listener: (event: CustomEvent<PreviewEvents[Name]>) => void,
  ): () => void
  /** Runs calls at once that are pushed after the script has loaded; until then, the stub queues them. */
  readonly q: { push(...calls: readonly QueuedCall[]): void }
}

/** A call that was queued before the script had loaded: the name of a function, then its arguments. */
export type QueuedCall = {
  [Name in FunctionName]: readonly [Name, ...Parameters<PreviewScript[Name]>]
}[FunctionName]

type FunctionName = 'scan' | 'render' | 'refresh' | 'configure' | 'on'

declare global {
  interface HTMLElementTagNameMap {
    'page-preview': PagePreviewElement
  }
  /** The events bubble, so listeners can be on any element, the document and the window. */
  interface GlobalEventHandlersEventMap extends PreviewEventMap {}
  interface Window {
    /** The script; until it has loaded, a stub with a queue of calls. */
    PagePreview?: PreviewScript | { q: QueuedCall[] }
  }
}

/** The parameters of the query, as JavaScript values. */
export type PreviewParameters = {
  -readonly [Name in keyof PageQuery as Name extends `${string}.${string}` ? never : Name]?: PageQuery[Name] | undefined
}

/** The options of a preview other than its query: the same as in React, in types that need no React. */
export interface PreviewOptions {
  /**
   * A card, a row with a small image, an image with a caption, or a chip in running text.
   *
   * @default 'card'
   * @example layout: 'row'
   */
  layout?: Layout | undefined
  /**
   * `auto`: the theme of the page around the preview.
   *
   * @default 'auto'
   * @example theme: 'dark'
   */
  theme?: 'auto' | 'light' | 'dark' | undefined
  /**
   * `lazy` requests the page once the preview is less than 600 pixels away from the viewport, `eager` at once.
   *
   * @default 'lazy'
   * @example loading: 'eager'
   */
  loading?: 'lazy' | 'eager' | undefined
  /**
   * Alternative text of the image. Default: the text that the page has for it, else the title of the page, and until that is known
   * "Screenshot of {host}".
   *
   * @example alt: 'The tide tables of Skerry'
   */
  alt?: string | undefined
  /**
   * Dimensions, type and size of the image are shown, such as "2560 × 1600 · JPG · 272 kB"; as attribute `image-details="off"`.
   *
   * @default true
   * @example imageDetails: false
   */
  imageDetails?: boolean | undefined
  /**
   * Language of numbers and ages in the card, and of the request for the page, as a BCP 47 tag. Default: the language
   * of the messages for the card, none for the request.
   *
   * @example locale: 'de-AT'
   */
  locale?: string | undefined
  /**
   * The preview is the main content of the page: requested at once, its image with high priority.
   *
   * @default false
   * @example priority: true
   */
  priority?: boolean | undefined
  /**
   * Milliseconds between requests while the preview is near the viewport of a visible page. Default: no repeated requests.
   *
   * @example refreshInterval: 60_000
   */
  refreshInterval?: number | undefined
  /**
   * Data of your own; nothing is requested.
   *
   * @example data: { title: 'Tides', image: { url: '/tides.png' } }
   */
  data?: PageData | undefined
  /**
   * Replaces the English texts, all or some. `import { de } from 'page-preview/messages'`. Default: the English ones.
   *
   * @example messages: { ...de, retry: 'Erneut versuchen' }
   */
  messages?: Partial<Messages> | undefined
}

/** The parameters and options of a preview, and the service to request it from. */
export interface PreviewConfig
  extends PreviewParameters, PreviewOptions, Partial<Pick<ClientOptions, 'endpoint' | 'apiKey' | 'fetch'>> {}

/**
 * The attributes of `<page-preview>`, in kebab-case: every parameter of the query (options of `screenshot` with and
 * without that prefix), and the options of a preview that are text, numbers or booleans.
 */
export type PreviewAttributes = {
  [Name in Exclude<ParameterName, OpenEnded> as Kebab<Name | Alias<Name>>]?: AttributeOf<ValueAt<Name>>
} & {
  [Name in keyof PreviewOptions as AttributeOf<PreviewOptions[Name]> extends undefined ? never : Kebab<Name>]?:
    | AttributeOf<PreviewOptions[Name]>
    | (Name extends 'imageDetails' ? 'off' : never)
} & {
  [Name in Exclude<OpenEnded, 'headers'>]?: BooleanAttribute
} & {
  [Name in `${Exclude<OpenEnded, 'headers'>}-${string}`]?: BooleanAttribute
} & {
  [Name in `headers-${string}`]?: string
}

/** The same attributes in camelCase, for templates that use it. */
export type CamelAttributes = {
  [Name in keyof PreviewAttributes as Camel<Name>]: PreviewAttributes[Name]
}

/** Parameters followed by a name of the caller's choice: `meta-title`, `headers-user-agent`. */
type OpenEnded = {
  [Name in ParameterName]: (typeof fields)[Name] extends { subKey: 'text' } ? Name : never
}[ParameterName]

/** What an attribute can carry; nothing for objects, lists and functions. */
type AttributeOf<Value> = Value extends boolean
  ? BooleanAttribute
  : Value extends number
    ? number | `${number}`
    : Value extends string | undefined
      ? Value
      : never

type BooleanAttribute = boolean | '' | 'true' | 'false' | undefined

type ValueAt<Name> = Name extends keyof PageQuery
  ? PageQuery[Name]
  : Name extends `${infer Group extends keyof PageQuery}.${infer Option}`
    ? ValueIn<PageQuery[Group], Option>
    : never

type ValueIn<Group, Option> = Group extends object ? (Option extends keyof Group ? Group[Option] : never) : never

type Alias<Name> = Name extends `screenshot.${infer Option}`
  ? Option
  : Name extends ScreenshotParameter
    ? `screenshot.${Name}`
    : never

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends '.' ? '-' : First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : ''

type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
