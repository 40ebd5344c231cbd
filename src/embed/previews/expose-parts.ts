import { options as preactOptions } from 'preact'

/**
 * Makes each element of a preview a part of its shadow root, named by its class: `::part(title)`, and `::part(root)` for the
 * outermost element. The script tag is built with preact in place of React: see `src/tools/build-script-tag.ts`.
 *
 * @see https://preactjs.com/guide/v10/options/
 */
export function exposeParts(): void {
  const next = preactOptions.vnode?.bind(preactOptions)
  preactOptions.vnode = (vnode) => {
    next?.(vnode)
    const { type, props } = vnode
    if (typeof type === 'string' && 'className' in props)
      Object.assign(props, { part: String(props.className).replace('page-preview', 'root').replaceAll('pp-', '') })
  }
}
