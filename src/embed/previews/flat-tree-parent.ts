/** The element that contains another one on the screen: also the slot that it is assigned to, and the host of a shadow root. */
export function flatTreeParent(element: Element): Element | null {
  const { assignedSlot, parentNode } = element
  return assignedSlot ?? (parentNode instanceof ShadowRoot ? parentNode.host : element.parentElement)
}
