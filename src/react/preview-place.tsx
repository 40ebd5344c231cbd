'use client'

import { useState, type ReactNode } from 'react'
import { pageAddress } from './data/index.js'
import { splitProps, type PagePreviewProps } from './page-preview-props.js'
import { partNames } from './part-names.js'
import { PreviewRoot } from './preview-root.js'

interface PreviewPlaceProps {
  props: PagePreviewProps
  watch: (element: Element | null) => void
}

/** What a preview is while nobody sees it: its link, in a place as large as the card that comes there. */
export function PreviewPlace({ props, watch }: PreviewPlaceProps): ReactNode {
  const { query, options, attributes } = splitProps(props)
  const [link] = useState(focusHeritage)
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
        <a ref={link} className={name('link')} href={address.href}>
          <span className={name('title')}>{words}</span>
        </a>
      )}
    </PreviewRoot>
  )
}

/** For a link that gives way to another: when it goes and has the focus, the link that comes in its place has it. */
function focusHeritage(): (link: HTMLElement | null) => void {
  let kept: HTMLElement | null = null
  return (link) => {
    const { parentElement: root } = kept ?? {}
    const { parentElement: around, previousElementSibling: before } = root ?? {}
    if (!link && around && kept?.matches(':focus'))
      queueMicrotask(() => {
        const card = before ? before.nextElementSibling : around.firstElementChild
        card?.querySelector('a')?.focus({ preventScroll: true })
      })
    kept = link
  }
}
