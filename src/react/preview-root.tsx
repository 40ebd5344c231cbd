import type { HTMLAttributes, ReactNode, Ref } from 'react'
import { PreviewCard } from './preview-card.js'
import { join } from './preview-elements.js'
import type { PreviewView } from './preview-view.js'

interface PreviewRootProps {
  view: PreviewView
  status: string
  /** Of the root element; children are the author's words for the link. */
  attributes: HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }
  /** `element` of the query: a part of a page is shown whole. */
  element: string | undefined
  /** After all else. */
  children?: ReactNode
}

/** A preview as a whole, in any layout. It has no state, so it can be rendered for good. */
export function PreviewRoot({ view, status, attributes, element, children }: PreviewRootProps): ReactNode {
  const { tags, name, options, address, picture, isBusy } = view
  const { layout = 'card', theme, messages, data } = options
  const { children: words, className, ...rest } = attributes
  const isInline = layout === 'inline'
  return (
    <tags.root
      dir={messages?.dir}
      {...rest}
      {...(isInline && { href: address.href })}
      className={join(name('root'), className)}
      data-layout={layout}
      data-state={status}
      data-theme={theme === 'auto' ? undefined : theme}
      data-fit={element ? 'contain' : data && layout === 'image' && picture ? 'own' : undefined}
      aria-busy={isBusy || undefined}
    >
      {isInline ? (
        <>
          <view.Icon view={view} as="icon" />
          {words ?? address.text}
        </>
      ) : (
        <PreviewCard view={view} />
      )}
      {children}
    </tags.root>
  )
}
