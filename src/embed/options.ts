import { attributeOptions, isParameter, readAttributes } from '../card/index.js'
import type { AppSettings, PagePreviewProps, QueryProp } from '../react/index.js'
import type { PreviewConfig } from './element/index.js'
import { assignDefined } from '../react/props.js'
import { FROZEN, scriptEndpoint, type ScriptTag } from './script-tag.js'

/**
 * The options that all previews of a page share. Dispatches `change` when all previews have to render again, and `theme` when the
 * page may have another theme.
 */
export class SharedOptions extends EventTarget {
  /** Results are stored in the browser between visits. */
  readonly isPersistent: boolean
  readonly #scriptOrigin: PreviewConfig
  readonly #configured: PreviewConfig
  readonly #tagOptions: PreviewConfig

  /** The script tag. */
  readonly tag: ScriptTag | null

  /**
   * @param tag         The script tag, whose `data-` attributes are options.
   * @param configured  What the page sets by `configure()`; it may change later.
   */
  constructor(tag: ScriptTag | null, configured: PreviewConfig) {
    super()
    this.tag = tag
    this.isPersistent = tag?.dataset.persist !== undefined
    this.#configured = configured
    this.#scriptOrigin = tag ? { endpoint: scriptEndpoint(tag) } : {}
    this.#tagOptions = tag
      ? { ...(tag.dataset.endpoint && this.#scriptOrigin), ...readAttributes(tag.attributes, 'data-') }
      : {}
  }

  /** Defaults of all previews. Attributes of the tag take precedence over `configure()`, and these over the script's origin. */
  get defaults(): PreviewConfig {
    const configured = withOptions(this.#scriptOrigin, this.#configured)
    // A key that is configured alone is for the endpoint of the tag.
    return this.#configured.endpoint
      ? withOptions(configured, this.#tagOptions)
      : assignDefined(configured, this.#tagOptions)
  }

  /**
   * Whether a preview stays as it was frozen. It is complete without a service, so it becomes live only if the page names one: on
   * the script tag, by `configure()`, or in the `query` of the element. `loader.ts` has the same condition.
   */
  isFrozen(element: Element & { query?: PreviewConfig }): boolean {
    return (
      element.matches(FROZEN) && !(this.#tagOptions.endpoint || this.#configured.endpoint || element.query?.endpoint)
    )
  }

  notifyChange(): void {
    this.dispatchEvent(new Event('change'))
  }
}

/** What is not given hides nothing; and an endpoint does not get the key of another one. */
const withOptions = <Options extends PreviewConfig>(defaults: Options, own: PreviewConfig): Options & PreviewConfig =>
  assignDefined(
    { ...defaults, ...(own.endpoint && { apiKey: undefined }) },
    { ...own, endpoint: own.endpoint || undefined },
  )

/**
 * The options of one preview, in order of precedence: the properties of its element, its attributes, the `data-` attributes of
 * its link, and the defaults of the page.
 *
 * @param element  A `<page-preview>` or a link.
 * @param link     The link whose page is previewed; default: the element itself, or the first link in it.
 */
export function resolveOptions(
  element: Element & { query?: PreviewConfig },
  sharedOptions: SharedOptions,
  link = element instanceof HTMLAnchorElement ? element : element.querySelector('a'),
): PreviewConfig & { url: string } {
  const options = withOptions(
    {
      url: link?.href ?? '',
      ...sharedOptions.defaults,
      ...(link && linkOptions(link, link === element)),
      ...(link !== element && readAttributes(element.attributes)),
    },
    element.query ?? {},
  )
  // The service needs an absolute URL, and `href` of the link is one even if the page has written a path.
  return link && !/^https?:/i.test(options.url) ? { ...options, url: link.href } : options
}

/**
 * The options among the `data-` attributes of a link. Those of a link without a mark, which `data-auto` has found, are the page's own if they
 * have names of parameters: `data-type`, `data-filter`.
 */
function linkOptions(link: HTMLAnchorElement, isPreview: boolean): PreviewConfig {
  const options: PreviewConfig = readAttributes(link.attributes, 'data-')
  if (link.dataset.pagePreview !== undefined) return options
  return isPreview ? pick(options, (name) => !isParameter(name)) : {}
}

const pick = (options: PreviewConfig, isPicked: (name: string) => boolean): object =>
  Object.fromEntries(Object.entries(options).filter(([name]) => isPicked(name)))

/** The URL of a service that browsers do not request from this page, because the page is https and the service is http. */
export function blockedEndpoint({ endpoint }: PreviewConfig): string | undefined {
  const url = typeof endpoint === 'object' ? endpoint.free : endpoint
  return location.protocol === 'https:' && url && /^http:/i.test(url) ? url : undefined
}

/** The options of one preview as the components take them: settings of the app, and props. */
export interface ComponentProps {
  settings: AppSettings
  props: PagePreviewProps
}

/** Separates the options of one preview. */
export function componentProps({
  url,
  endpoint,
  apiKey,
  fetch,
  locale,
  messages,
  ...options
}: PreviewConfig & { url: string }): ComponentProps {
  return {
    settings: { endpoint, apiKey, fetch, locale, messages },
    props: { url, query: pick(options, isParameter) as QueryProp, ...pick(options, (name) => !isParameter(name)) },
  }
}

/** The properties of `<page-preview>`: all parameters and options, except names that every element has, such as `click`. */
export const elementProperties: readonly string[] = [...attributeOptions, 'data', 'messages'].filter(
  (name) => !(name in HTMLElement.prototype),
)

/** Whether a link leads to a page, unlike `mailto:` or `javascript:`. */
export const isWebLink = ({ protocol }: HTMLAnchorElement): boolean => protocol.startsWith('http')
