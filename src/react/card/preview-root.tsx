import type { ElementType, HTMLAttributes, ReactNode, Ref, RefCallback } from 'react'
import { imageFit, layoutOf, type CardImage, type DisplayUrl } from '../../card/index.js'
import type { PageQuery } from '../../query/index.js'
import { isBusy, type PreviewState } from '../data/preview-state.js'
import type { PreviewOptions } from '../props/page-preview-props.js'
import { classNamesOf, joinNames } from './class-names.js'

interface PreviewRootInput {
  preview: PreviewState & { displayUrl: DisplayUrl; image?: CardImage | undefined }
  options: PreviewOptions
  attributes: HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> | undefined }
  /** Receives the element, unless it is the caller's component: React 18 warns about a `ref` on a function component. */
  elementRef?: (element: HTMLElement | null) => void
  /** `element` of the query. */
  element: PageQuery['element']
  children: ReactNode
}

/**
 * The root element of a preview. It has no state, so it also works in server components; and it is a function instead of a
 * component, because the placeholders of a hundred previews would render twice as many components.
 */
export function previewRoot({
  preview,
  options,
  attributes,
  elementRef,
  element,
  children,
}: PreviewRootInput): ReactNode {
  const { status, displayUrl, image } = preview
  const { theme, messages, data, components } = options
  const { className, ref, ...rest } = attributes
  const layout = layoutOf(options.layout)
  const isInline = layout === 'inline'
  const Root: ElementType = components?.root ?? (isInline ? 'a' : layout === 'image' ? 'figure' : 'article')
  return (
    <Root
      dir={messages?.dir}
      {...rest}
      href={isInline ? displayUrl.href : undefined}
      ref={typeof Root === 'string' ? mergeRefs(elementRef, ref) : undefined}
      className={joinNames(classNamesOf(options)('root'), className)}
      data-layout={layout}
      data-state={status}
      data-theme={theme === 'auto' ? undefined : theme}
      data-fit={imageFit({ element, layout, isOwnData: Boolean(data), hasImage: Boolean(image) })}
      aria-busy={isBusy(preview) || undefined}
    >
      {children}
    </Root>
  )
}

function mergeRefs(
  elementRef: RefCallback<HTMLElement> | undefined,
  callerRef: Ref<HTMLElement> | undefined,
): Ref<HTMLElement> | undefined {
  if (!elementRef || !callerRef) return elementRef ?? callerRef
  return (element) => {
    elementRef(element)
    const cleanUp = typeof callerRef === 'function' ? callerRef(element) : void (callerRef.current = element)
    // React 19 calls the clean-up function in place of the ref with `null`.
    return (
      cleanUp &&
      (() => {
        elementRef(null)
        cleanUp()
      })
    )
  }
}
