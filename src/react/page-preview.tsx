'use client'

import { memo, type ReactNode } from 'react'
import { sameProps, usePreview } from './data/index.js'
import { splitProps, type PagePreviewProps } from './page-preview-props.js'
import { useDefaults } from './page-preview-provider.js'
import { PreviewIcon } from './preview-icon.js'
import { PreviewMedia } from './preview-media.js'
import { PreviewRoot } from './preview-root.js'
import { previewView } from './preview-view.js'
import { useLoaded } from './use-loaded.js'
import { useIsClient } from './use-is-client.js'
import { usePreviewEvents } from './use-preview-events.js'

const loadTrouble = () => import('./preview-trouble.js')
const MAKING = { Icon: PreviewIcon, Media: PreviewMedia }
const UNSEEN = { position: 'absolute', clipPath: 'inset(50%)', overflow: 'hidden', width: 1, height: 1 } as const

/**
 * A page inside this page: a card (or row, picture, chip) with a link that works from the first moment, a picture of the
 * page, and its words. Its children are the link's words until the title is known.
 */
export const PagePreview = memo(function PagePreview(props: PagePreviewProps): ReactNode {
  const { query, options, attributes } = splitProps(useDefaults(props))
  const { children, style, ...rest } = attributes
  const isClient = useIsClient()

  const preview = usePreview(query, options)
  usePreviewEvents(preview, options)
  const trouble = useLoaded(loadTrouble, preview.status === 'failed' || preview.status === 'stale')
  const view = previewView(preview, { options, words: children, trouble, ...MAKING })
  const isInline = options.layout === 'inline'
  // In markup from a server it would be a style attribute, which a strict content security policy forbids.
  const background = isClient && !isInline && view.picture?.background
  const properties = background ? { ['--pp-media-background' as string]: background, ...style } : style
  // React 18 warns of one on a component; what is not ours counts as near the screen.
  const ref = typeof view.tags.root === 'string' && { ref: preview.ref }
  return (
    <PreviewRoot
      view={view}
      status={preview.status}
      attributes={{ ...rest, ...ref, children, style: properties }}
      element={query.element}
    >
      {preview.wasRetried && !isInline && (
        <span style={UNSEEN} role="status">
          {view.news}
        </span>
      )}
    </PreviewRoot>
  )
}, sameProps)
