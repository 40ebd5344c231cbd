type Root = Element | Document | ShadowRoot

const MARGIN_PX = 600
const HOVER = 'a[data-page-preview=hover]'
const PREVIEW = 'page-preview,a[data-page-preview=""]'

/**
 * Finds previews on the page, now and whenever some are added.
 *
 * @param auto     Selector of plain links that get a hover preview.
 * @param first    Called before any other: a preview is probably near the viewport, which is only known in the next frame.
 * @param near     Called whenever a preview comes near the viewport.
 * @param pointed  Called when a link with a hover preview is pointed at or focused.
 * @returns        A function that looks below another root, such as a shadow root.
 */
export function findPreviews(
  auto: string | undefined,
  first: () => object,
  near: (found: Element) => void,
  pointed: (link: Element) => void,
): (root?: Root) => void {
  const hover = auto ? `${HOVER},${auto}` : HOVER
  const approach = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) near(target)
    },
    { rootMargin: `${MARGIN_PX}px` },
  )
  let begun: unknown
  const scan = (root: Root = document) => {
    for (const found of [root, ...root.querySelectorAll(PREVIEW)])
      if ('matches' in found && found.matches(PREVIEW)) {
        approach.observe(found)
        begun ||= isNear(found) && first()
      }
  }
  const point = ({ target }: Event) => {
    const link = target instanceof Element && target.closest(hover)
    if (link) pointed(link)
  }

  scan()
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) scan(node)
  }).observe(document, { childList: true, subtree: true })
  addEventListener('pointerover', point)
  addEventListener('focusin', point)
  return scan
}

const isNear = (found: Element) => {
  const [box] = found.getClientRects()
  return box && box.top < innerHeight + MARGIN_PX && box.bottom > -MARGIN_PX
}
