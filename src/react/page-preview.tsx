'use client'

import type { CSSProperties, ReactNode } from 'react'
import { withDefaults } from './messages.js'
import { pageAddress } from './page-address.js'
import { splitProps, type PagePreviewProps } from './page-preview-props.js'
import { useDefaults } from './page-preview-provider.js'
import { PreviewCard } from './preview-card.js'
import { PreviewFigure } from './preview-figure.js'
import { PreviewIcon } from './preview-icon.js'
import { previewParts } from './preview-parts.js'
import type { PreviewView } from './preview-view.js'
import { usePagePreview } from './data/index.js'
import { usePreviewEvents } from './use-preview-events.js'
import { useRetryFocus } from './use-retry-focus.js'

type Properties = CSSProperties & Partial<Record<`--pp-${string}`, string>>

/**
 * A page inside this page: a card (or row, picture, chip) with a link that works from the first moment, a picture of the
 * page, and its words. Its children are the link's words until the title is known.
 */
export function PagePreview(props: PagePreviewProps): ReactNode {
  const { query, options, attributes } = splitProps(useDefaults(props))
  const { layout = 'card', theme, locale = 'en', classNames, alt, loading } = options
  const { children, className, style, ...rest } = attributes

  const preview = usePagePreview({ ...query, ...options })
  usePreviewEvents(preview, options)
  const { link, hold } = useRetryFocus('page' in preview)

  const address = pageAddress(query.url)
  const messages = withDefaults(options.messages)
  const parts = previewParts(preview, { address, words: children, messages, locale })
  const { picture, isBusy, news } = parts

  const onRetry = (button: HTMLElement) => {
    hold(button)
    preview.refresh()
  }
  const view: PreviewView = { ...parts, id: preview.id, address, messages, classNames, alt, loading, onRetry }
  const ownRatio = options.data && layout === 'image' && picture
  const properties: Properties = {
    ...(picture?.background && { '--pp-media-background': picture.background }),
    ...(query.element && { '--pp-fit': 'contain', '--pp-position': 'center' }),
    ...(ownRatio && { '--pp-ratio': `${picture.width} / ${picture.height}` }),
    ...style,
  }
  const root = {
    ...rest,
    className: ['page-preview', classNames?.root, className].filter(Boolean).join(' '),
    style: layout === 'inline' ? style : properties,
    'data-layout': layout,
    'data-state': preview.status,
    'data-theme': theme === 'auto' ? undefined : theme,
    'aria-busy': isBusy || undefined,
  }
  const status = preview.wasRetried && (
    <span className="pp-status" role="status">
      {news}
    </span>
  )

  switch (layout) {
    case 'image':
      return (
        <figure {...root}>
          <PreviewFigure view={view} link={link} />
          {status}
        </figure>
      )
    case 'inline':
      return (
        <a {...root} href={address.href}>
          <PreviewIcon view={view} as="icon" />
          {children ?? address.text}
        </a>
      )
    default:
      return (
        <article {...root}>
          <PreviewCard view={view} link={link} boneCount={layout === 'row' ? 2 : 3} />
          {status}
        </article>
      )
  }
}
