'use client'

import { type CSSProperties, type ReactNode } from 'react'
import { usePreviewData } from '../data/use-preview-data.js'
import { useStableQuery, type PreviewQuery } from '../data/use-stable-query.js'
import { useIsHydrated } from '../hooks/use-is-hydrated.js'
import { useLazyModule } from '../hooks/use-lazy-module.js'
import type { PagePreviewProps } from '../props/page-preview-props.js'
import { splitProps } from '../props/split-props.js'
import { cardView } from './card-view.js'
import { IconWithFallback } from './icon-with-fallback.js'
import { InteractiveMedia } from './interactive-media.js'
import { PreviewCard } from './preview-card.js'
import { previewRoot } from './preview-root.js'
import { useFocusHandover } from './use-focus-handover.js'
import { usePreviewEvents } from './use-preview-events.js'

export interface InteractiveCardProps extends PagePreviewProps {
  /** The preview is known to be near the viewport. */
  isNear?: boolean | undefined
  /** The query of these props, if the parent has it: it is parsed only once. */
  previewQuery?: PreviewQuery | undefined
  /** Names the component in warnings. Default `PagePreview`. */
  component?: string | undefined
}

const loadFailureDetails = () => import('./failure-details.js')

const VISUALLY_HIDDEN: CSSProperties = {
  position: 'absolute',
  clipPath: 'inset(50%)',
  overflow: 'hidden',
  width: '1px',
  height: '1px',
}

/** A preview that fetches its data and follows every change of it. */
export function InteractiveCard({
  isNear,
  previewQuery: parentQuery,
  component,
  ...props
}: InteractiveCardProps): ReactNode {
  const { query, options, attributes } = splitProps(props)
  const { children, style, ...rest } = attributes
  const ownQuery = useStableQuery(query, options)
  const [ref, preview] = usePreviewData(parentQuery ?? ownQuery, { ...options, isNear, component })
  usePreviewEvents(preview, options)
  const elementRef = useFocusHandover(ref, preview.displayUrl)
  const needsFailureDetails = preview.status === 'failed' || preview.status === 'stale'
  const failureDetails = useLazyModule(loadFailureDetails, needsFailureDetails)
  const view = cardView(preview, { options, children, failureDetails, Icon: IconWithFallback, Media: InteractiveMedia })
  const isInline = options.layout === 'inline'
  // A style attribute in the server's markup would violate a strict content security policy.
  const hasStyle = useIsHydrated() && !isInline
  const background = hasStyle ? preview.image?.background : undefined
  return previewRoot({
    preview,
    options,
    attributes: { ...rest, style: background ? { ['--pp-media-background' as string]: background, ...style } : style },
    elementRef,
    element: query.element,
    children: (
      <>
        <PreviewCard view={view} />
        {preview.wasRetried && !isInline && (
          <span style={VISUALLY_HIDDEN} role="status">
            {view.announcement}
          </span>
        )}
      </>
    ),
  })
}
