'use client'

import { memo, type ReactNode } from 'react'
import { sameProps, usePreview } from './data/index.js'
import { splitProps, type PagePreviewProps } from './page-preview-props.js'
import { useDefaults } from './page-preview-provider.js'
import { PreviewCard } from './preview-card.js'
import { join } from './preview-elements.js'
import { PreviewIcon } from './preview-icon.js'
import { previewView } from './preview-view.js'
import { useLoaded } from './use-loaded.js'
import { useIsClient } from './use-is-client.js'
import { usePreviewEvents } from './use-preview-events.js'

const loadTrouble = () => import('./preview-trouble.js')
const UNSEEN = { position: 'absolute', clipPath: 'inset(50%)', overflow: 'hidden', width: 1, height: 1 } as const

/**
 * A page inside this page: a card (or row, picture, chip) with a link that works from the first moment, a picture of the
 * page, and its words. Its children are the link's words until the title is known.
 */
export const PagePreview = memo(function PagePreview(props: PagePreviewProps): ReactNode {
  const { query, options, attributes } = splitProps(useDefaults(props))
  const { layout = 'card', theme, messages } = options
  const { children, className, style, ...rest } = attributes
  const isClient = useIsClient()

  const preview = usePreview(query, options)
  usePreviewEvents(preview, options)
  const trouble = useLoaded(loadTrouble, preview.status === 'failed' || preview.status === 'stale')
  const view = previewView(preview, { options, words: children, trouble })
  const { picture, news, address } = view
  const isInline = layout === 'inline'
  // In markup from a server it would be a style attribute, which a strict content security policy forbids.
  const background = isClient && !isInline && picture?.background
  const properties = background ? { ['--pp-media-background' as string]: background, ...style } : style
  return (
    <view.tags.root
      dir={messages?.dir}
      {...rest}
      // React 18 warns of one on a component; what is not ours counts as near the screen.
      {...(typeof view.tags.root === 'string' && { ref: preview.ref })}
      {...(isInline && { href: address.href })}
      className={join(view.name('root'), className)}
      style={properties}
      data-layout={layout}
      data-state={preview.status}
      data-theme={theme === 'auto' ? undefined : theme}
      data-fit={query.element ? 'contain' : options.data && layout === 'image' && picture ? 'own' : undefined}
      aria-busy={view.isBusy || undefined}
    >
      {isInline ? (
        <>
          <PreviewIcon view={view} as="icon" />
          {children ?? address.text}
        </>
      ) : (
        <PreviewCard view={view} />
      )}
      {preview.wasRetried && !isInline && (
        <span style={UNSEEN} role="status">
          {news}
        </span>
      )}
    </view.tags.root>
  )
}, sameProps)
