import type { ReactNode } from 'react'
import { chooseImage, toDisplayUrl, filterData, previewRequest } from '../../card/index.js'
import { splitProps, type PagePreviewProps as BrowserProps } from '../page-preview-props.js'
import { PlainIcon } from '../plain-icon.js'
import { PreviewCard } from '../preview-card.js'
import { previewRoot } from '../preview-root.js'
import { previewView } from '../preview-view.js'
import { askInTime } from './ask-in-time.js'
import { PlainMedia } from './plain-media.js'

/** What happens in browsers alone. */
type BrowserOnly = 'ref' | 'queryClient' | 'refreshInterval' | 'onLoad' | 'onRefresh'

/** Those of the component for browsers, without what happens there. */
export interface PagePreviewProps extends Omit<BrowserProps, BrowserOnly> {
  /** Milliseconds for which the page waits for the service, default 2,000; then there is a card with just the link. */
  timeLimit?: number | undefined
}

/**
 * A page inside this page, made on the server: the whole card is HTML, and browsers get no script for it. It never throws for a
 * bad page or a service that is down: that is told to `onError`, on the server.
 */
export async function PagePreview({ timeLimit, ...props }: PagePreviewProps): Promise<ReactNode> {
  const { query, options, attributes } = splitProps(props)
  const { data: ownData } = options
  const request = previewRequest(query, options)
  const told = ownData ? undefined : await askInTime(request.json, { ...options, timeLimit })

  const answer = told?.answer
  const found = ownData ?? answer?.data ?? {}
  const page = request.filter && !ownData ? filterData(found, request.filter) : found
  const preview = {
    status: 'ready' as const,
    page,
    answer,
    id: query.url,
    address: toDisplayUrl(query.url),
    picture: chooseImage(page, { history: answer, embed: ownData ? undefined : request.embed }),
    wasRetried: false,
    // There is no button for it.
    refresh: () => {},
  }
  const { children: words, ...rest } = attributes
  const view = previewView(preview, { options, words, Icon: PlainIcon, Media: PlainMedia })
  const children = <PreviewCard view={view} />
  return previewRoot({ preview, options, attributes: rest, element: query.element, children })
}
