import { builtinMember } from '../builtin-member.js'

/** The element that contains another one on the screen: also the slot that it is assigned to, and the host of a shadow root. */
export function flatTreeParent(element: Element): Element | null {
  const parent = builtinMember(element, 'parentNode')
  return (
    builtinMember(element, 'assignedSlot') ??
    (parent instanceof ShadowRoot ? parent.host : builtinMember(element, 'parentElement'))
  )
}
