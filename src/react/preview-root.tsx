import type { ElementType, HTMLAttributes, ReactNode, Ref, RefCallback } from 'react'
import type { DisplayUrl, CardImage, PreviewState } from './data/index.js'
import type { PreviewOptions } from './page-preview-props.js'
import { join, partNames } from './part-names.js'

interface Rooted {
  preview: PreviewState & { address: DisplayUrl; picture?: CardImage | undefined }
  options: PreviewOptions
  attributes: HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> | undefined }
  /** Gets the element, where it is one of ours: React 18 warns of a `ref` on a component. */
  watch?: (element: HTMLElement | null) => void
  /** `element` of the query: a part of a page is shown whole. */
  element: string | undefined
  children: ReactNode
}

/**
 * The element around a preview. It has no state, so it can be rendered for good; and it is no component, which would cost a
 * hundred previews as much as their links.
 */
export function previewRoot({ preview, options, attributes, watch, element, children }: Rooted): ReactNode {
  const { status, address, picture } = preview
  const { layout = 'card', theme, messages, data, components } = options
  const { className, ref, ...rest } = attributes
  const isInline = layout === 'inline'
  const Root: ElementType = components?.root ?? (isInline ? 'a' : layout === 'image' ? 'figure' : 'article')
  return (
    <Root
      dir={messages?.dir}
      {...rest}
      href={isInline ? address.href : undefined}
      ref={typeof Root !== 'string' ? undefined : watch && ref ? bothRefs(watch, ref) : (watch ?? ref)}
      className={join(partNames(options)('root'), className)}
      data-layout={layout}
      data-state={status}
      data-theme={theme === 'auto' ? undefined : theme}
      data-fit={element ? 'contain' : data && layout === 'image' && picture ? 'own' : undefined}
      aria-busy={isBusy(preview) || undefined}
    >
      {children}
    </Root>
  )
}

/** Something is awaited. */
export const isBusy = (preview: PreviewState): boolean =>
  preview.status === 'failed' ? preview.isRetrying : preview.status === 'loading' || preview.status === 'refreshing'

function bothRefs(watch: RefCallback<HTMLElement>, ref: NonNullable<Ref<HTMLElement>>): RefCallback<HTMLElement> {
  return (element) => {
    watch(element)
    const end = typeof ref === 'function' ? ref(element) : void (ref.current = element)
    // It is called in the place of another call with nothing.
    return (
      end &&
      (() => {
        watch(null)
        end()
      })
    )
  }
}
