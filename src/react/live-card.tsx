'use client'

import { useEffect, type ReactNode } from 'react'
import { usePreview } from './data/index.js'
import { splitProps, type PagePreviewProps } from './page-preview-props.js'
import { PreviewCard } from './preview-card.js'
import { PreviewIcon } from './preview-icon.js'
import { PreviewMedia } from './preview-media.js'
import { previewRoot } from './preview-root.js'
import { previewView } from './preview-view.js'
import { useInheritedFocus } from './use-inherited-focus.js'
import { useIsClient } from './use-is-client.js'
import { useLoaded } from './use-loaded.js'
import { usePreviewEvents } from './use-preview-events.js'

export interface LiveCardProps extends PagePreviewProps {
  /** It is known to be near the screen. */
  isNear?: boolean | undefined
  /** Told once that it is on the page. */
  onMount?: ((isMounted: true) => void) | undefined
}

const loadTrouble = () => import('./preview-trouble.js')
const MAKING = { Icon: PreviewIcon, Media: PreviewMedia }
const UNSEEN = {
  position: 'absolute',
  clipPath: 'inset(50%)',
  overflow: 'hidden',
  width: '1px',
  height: '1px',
} as const

/** A preview with all that is in it, which asks what there is to know and shows what it is told. */
export function LiveCard({ isNear, onMount, ...props }: LiveCardProps): ReactNode {
  const { query, options, attributes } = splitProps(props)
  const { children: words, style, ...rest } = attributes
  const isClient = useIsClient()
  const preview = usePreview(query, { ...options, isNear })
  const { status, wasRetried } = preview
  usePreviewEvents(preview, options)
  const root = useInheritedFocus(preview)
  useEffect(() => onMount?.(true), [onMount])
  const trouble = useLoaded(loadTrouble, status === 'failed' || status === 'stale')
  const view = previewView(preview, { options, words, trouble, ...MAKING })
  const isInline = options.layout === 'inline'
  // In markup from a server it would be a style attribute, which a strict content security policy forbids.
  const background = isClient && !isInline && preview.picture?.background
  const properties = background ? { ['--pp-media-background' as string]: background, ...style } : style
  return previewRoot({
    preview,
    options,
    attributes: { ...rest, style: properties },
    watch: root,
    element: query.element,
    children: (
      <>
        <PreviewCard view={view} />
        {wasRetried && !isInline && (
          <span style={UNSEEN} role="status">
            {view.news}
          </span>
        )}
      </>
    ),
  })
}
