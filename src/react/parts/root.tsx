'use client'

import { forwardRef, type ForwardRefExoticComponent, type RefAttributes } from 'react'
import { imageFit } from '../../card/index.js'
import { useProximity } from '../use-proximity.js'
import { usePreviewProps } from '../page-preview-provider.js'
import type { CaptureProps, PreviewOptions, SourceOptions } from '../props.js'
import { PreviewContext, usePartElement, type PartProps } from './parts.js'
import { isBusy, useView } from './preview-view.js'

/** Which page, what its parts need, and the props of every part. */
export interface RootProps
  extends
    CaptureProps,
    SourceOptions,
    Pick<PreviewOptions, 'layout' | 'theme' | 'alt' | 'target' | 'rel' | 'onLoad' | 'onError' | 'onRefresh'>,
    Omit<PartProps<'article'>, keyof CaptureProps | keyof PreviewOptions> {}

/** The root of a preview: fetches its page once it is near the viewport, and provides its state to the parts inside. */
export const Root: ForwardRefExoticComponent<RootProps & RefAttributes<HTMLElement>> = /* @__PURE__ */ forwardRef<
  HTMLElement,
  RootProps
>(function Root({ render, ...ownProps }, callerRef) {
  const props = usePreviewProps('Preview.Root', ownProps)
  const [proximityRef, proximity] = useProximity(props)
  const view = useView(props, proximity, { showsState: true })
  const { query, options } = props
  const { children, ...attributes } = props.attributes
  const own = {
    dir: options.messages?.dir,
    'data-theme': options.theme === 'auto' ? undefined : options.theme,
    'data-fit': imageFit({ element: query.element }),
    'aria-busy': isBusy(view.state, proximity) || undefined,
    children: (
      <>
        {children}
        {view.failureParts?.announcement}
      </>
    ),
  }
  const element = usePartElement(
    { tag: 'article', ref: proximityRef, attributes: own },
    view,
    { render, ...attributes },
    callerRef,
  )
  return <PreviewContext.Provider value={view}>{element}</PreviewContext.Provider>
})
