import type { ReactNode } from 'react'
import { chooseImage, filterData, imageSizes, previewRequest, toDisplayUrl, withUnicodeHost } from '../../card/index.js'
import { cardView, type CardView } from '../card/card-view.js'
import { imageAttributes } from '../card/image-attributes.js'
import { MediaFrame, PreviewCard, previewRoot, StaticIcon } from '../card/preview-card.js'
import { splitProps, type AppSettings, type PagePreviewProps as BrowserProps } from '../props.js'
import { fetchBeforeDeadline } from './fetch-before-deadline.js'

type BrowserOnlyProps = 'ref' | 'refreshInterval' | 'onLoad' | 'onRefresh'

/** The props of the browser's `PagePreview` and of its provider, without those that need script. */
export interface PagePreviewProps
  extends Omit<BrowserProps, BrowserOnlyProps>, Pick<AppSettings, 'fetch' | 'messages' | 'locale'> {
  /**
   * How long the page waits for the service, in milliseconds; then the card is only the link.
   *
   * @default 2_000
   * @example timeLimit: 500
   */
  timeLimit?: number | undefined
}

/**
 * A preview that is rendered on the server: the whole card is HTML, and browsers receive no script for it. It never throws for a
 * page or a service that fails: `onError` is called on the server, and the card is a link.
 *
 * @example  <PagePreview url="https://example.com" screenshot endpoint="https://previews.example.com" />
 */
export async function PagePreview({
  timeLimit,
  fetch,
  messages,
  locale,
  ...props
}: PagePreviewProps): Promise<ReactNode> {
  const { query, options, attributes } = splitProps(props, { fetch, messages, locale })
  const { data: ownData } = options
  const request = previewRequest(query, options)
  const fetchOptions = { ...options, component: 'PagePreview', timeLimit }
  const { result } = (!ownData && (await fetchBeforeDeadline(request, fetchOptions))) || {}
  const fetchedData = result?.data ?? {}
  const page = ownData ?? (request.filter ? filterData(fetchedData, request.filter) : fetchedData)
  const preview = {
    status: 'ready' as const,
    page,
    result,
    id: query.url,
    displayUrl: withUnicodeHost(toDisplayUrl(query.url)),
    // Without script, nothing would replace an embedded image that cannot be loaded.
    image: chooseImage(page, { result, embed: ownData || result?.data.state ? undefined : request.embed }),
    wasRetried: false,
    refresh: () => {},
  }
  const { children, ...rest } = attributes
  const view = cardView(preview, { options, children, Icon: StaticIcon, Media: StaticMedia })
  return previewRoot({
    preview,
    query,
    options,
    attributes: rest,
    children: <PreviewCard view={view} />,
  })
}

/** The image of a card without any script. */
function StaticMedia({ view }: { view: CardView }): ReactNode {
  const { classNames, card, options } = view
  const image = card.image && (
    <img
      {...imageAttributes({ image: card.image, sizes: imageSizes(options.layout), options })}
      className={classNames('image')}
      alt={card.alt}
      src={card.image.src}
    />
  )
  return <MediaFrame view={view} image={image} />
}
