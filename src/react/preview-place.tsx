import type { ReactNode } from 'react'
import { pageAddress } from './data/index.js'
import type { SplitProps } from './page-preview-props.js'
import { partNames } from './part-names.js'
import { PreviewRoot } from './preview-root.js'

interface PreviewPlaceProps extends SplitProps {
  watch: (element: Element | null) => void
}

/** What a preview is while nobody sees it: its link, in a place as large as the card that comes there. */
export function PreviewPlace({ query, options, attributes, watch }: PreviewPlaceProps): ReactNode {
  const name = partNames(options)
  const address = pageAddress(query.url)
  const { children: words = address.text, ...rest } = attributes
  return (
    <PreviewRoot
      preview={{ status: 'loading', address }}
      options={options}
      attributes={rest}
      watch={watch}
      element={query.element}
    >
      {options.layout === 'inline' ? (
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
      )}
    </PreviewRoot>
  )
}
