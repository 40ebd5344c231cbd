// What the components use of React, by Preact. `preact/compat`, which has the rest of React too, would be 2 kB more in the script tag.

import { render, toChildArray, type ComponentChildren, type FunctionComponent, type Ref } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export { cloneElement, createContext, createElement, createPortal, Fragment, isValidElement } from 'preact'
export * from 'preact/hooks'

/** That of React which has `ref` among the props, as Preact has. */
export const version = '19.0.0'

export const Children = { toArray: toChildArray }

export function createRoot(container: Element | DocumentFragment) {
  // A page may have stored a shadow root with its content.
  container.replaceChildren()
  return {
    render: (children: ComponentChildren) => render(children, container),
    unmount: () => render(null, container),
  }
}

export const forwardRef =
  <Element, Props extends object>(
    component: (props: Props, ref: Ref<Element>) => ComponentChildren,
  ): FunctionComponent<Props & { ref?: Ref<Element> }> =>
  ({ ref = null, ...props }) =>
    component(props as Props, ref)

/** Each preview has a root of its own, which is rendered when its props have changed. */
export const memo = <Component>(component: Component) => component

export function useSyncExternalStore<Snapshot>(
  subscribe: (onChange: () => void) => () => void,
  getSnapshot: () => Snapshot,
): Snapshot {
  const snapshot = getSnapshot()
  const [, renderAgain] = useState({})
  useEffect(() => subscribe(() => renderAgain({})), [subscribe])
  // After the subscription: what changed since the component was rendered.
  useEffect(() => {
    if (getSnapshot() !== snapshot) renderAgain({})
  }, [getSnapshot, snapshot])
  return snapshot
}
