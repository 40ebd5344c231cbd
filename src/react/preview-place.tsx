import type { ReactNode } from 'react'
import { toDisplayUrl } from './data/index.js'
import type { SplitProps } from './page-preview-props.js'
import { partNames } from './part-names.js'
import { previewRoot } from './preview-root.js'

interface Place extends SplitProps {
  watch: (element: Element | null) => void
}

/** What a preview is while nobody sees it: its link, in a place as large as the card that comes there. */
export function previewPlace({ query, options, attributes, watch }: Place): ReactNode {
  const name = partNames(options)
  const address = toDisplayUrl(query.url)
  const { children: words = address.text, ...rest } = attributes
  const children =
    options.layout === 'inline' ? (
      <>
        <span className={name('icon')} aria-hidden="true">
          {address.letter}
        </span>
        {words}
      </>
    ) : (
      <a className={name('link')} href={address.href}>
        <span className={name('title')}>{words}</span>
      </a>
    )
  const preview = { status: 'loading' as const, address }
  return previewRoot({ preview, options, attributes: rest, watch, element: query.element, children })
}
