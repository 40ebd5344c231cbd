import { builtinMember } from '../builtin-member.js'

/** The parent in the flat tree: the slot that an element is assigned to, the host of its shadow root, or its parent element. */
export function flatTreeParent(element: Element): Element | null {
  const parent = builtinMember(element, 'parentNode')
  return (
    builtinMember(element, 'assignedSlot') ??
    (parent instanceof ShadowRoot ? parent.host : builtinMember(element, 'parentElement'))
  )
}
