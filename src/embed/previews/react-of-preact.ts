import { createElement, render, type Component, type ComponentChild, type FunctionComponent, type VNode } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'

// Stands in the script's build for React: what the components use of it, and no more. `preact/compat` would bring all of it.

export { Component, Fragment } from 'preact'
export * from 'preact/hooks'
/** Nothing in the script waits for something while it renders. */
export { Fragment as Suspense } from 'preact'
export const version = '19.0.0'

export interface Root {
  render: (children: ComponentChild) => void
  unmount: () => void
}

export const createRoot = (container: Element | ShadowRoot): Root => ({
  render: (children) => render(children, container),
  unmount: () => render(null, container),
})

/** Each element of ours is a part of its shadow root, by its class: `::part(title)`, and `::part(root)` for the whole. */
export const jsx = <Props extends { className?: string | undefined }>(
  type: string | FunctionComponent<Props>,
  props: Props,
  key?: string,
): VNode<Props> =>
  createElement(type, {
    ...props,
    key,
    ...(typeof type === 'string' && { part: props.className?.replace('page-preview', 'root').replaceAll('pp-', '') }),
  })
export { jsx as jsxs }

/** Nothing in the script provides anything, so that each context is its default for good. */
export const createContext = <Value>(value: Value): { value: Value } => ({ value })
export const useContext = <Value>(context: { value: Value }): Value => context.value

export const memo = <Props extends object>(
  type: FunctionComponent<Props>,
  isSame: (before: Props, after: Props) => boolean,
): FunctionComponent<Props> =>
  function Memo(this: Component<Props>, props) {
    this.shouldComponentUpdate = (next) => !isSame(this.props, next)
    // One of its own, whose state the comparison of props has no say in.
    return jsx(type, props)
  }

export function useSyncExternalStore<Snapshot>(
  subscribe: (tell: () => void) => () => void,
  read: () => Snapshot,
): Snapshot {
  const value = read()
  const [shown] = useState(shownValue<Snapshot>)
  const [, renderAgain] = useState({})
  useLayoutEffect(() => {
    shown.keep(value, read)
    if (shown.isOld()) renderAgain({})
  }, [shown, value, read])
  useEffect(() => {
    const look = () => {
      if (shown.isOld()) renderAgain({})
    }
    const end = subscribe(look)
    // What came between rendering and now.
    look()
    return end
  }, [shown, subscribe])
  return value
}

function shownValue<Snapshot>() {
  let isOld = () => false
  return {
    keep(value: Snapshot, read: () => Snapshot) {
      isOld = () => !Object.is(value, read())
    },
    isOld: () => isOld(),
  }
}
