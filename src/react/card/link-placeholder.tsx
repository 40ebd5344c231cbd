import type { ReactNode } from 'react'
import { toDisplayUrl } from '../../card/index.js'
import type { SplitProps } from '../props/split-props.js'
import { classNamesOf } from './class-names.js'
import { previewRoot } from './preview-root.js'

interface LinkPlaceholderInput extends SplitProps {
  elementRef: (element: Element | null) => void
}

/** The placeholder of a preview that is far from the viewport: its link, in a box with the size of the card. */
export function linkPlaceholder({ query, options, attributes, elementRef }: LinkPlaceholderInput): ReactNode {
  const classNames = classNamesOf(options)
  const displayUrl = toDisplayUrl(query.url)
  const { children: linkText = displayUrl.text, ...rest } = attributes
  const children =
    options.layout === 'inline' ? (
      <>
        <span className={classNames('icon')} aria-hidden="true">
          {displayUrl.letter}
        </span>
        <span>{linkText}</span>
      </>
    ) : (
      <a className={classNames('link')} href={displayUrl.href}>
        <span className={classNames('title')}>{linkText}</span>
      </a>
    )
  const preview = { status: 'loading' as const, displayUrl }
  return previewRoot({ preview, options, attributes: rest, elementRef, element: query.element, children })
}
