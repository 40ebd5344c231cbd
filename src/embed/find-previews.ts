type Root = Element | Document | ShadowRoot

const MARGIN = '600px'
const HOVER = 'a[data-page-preview=hover]'
const PREVIEW = 'page-preview,a[data-page-preview=""]'

/**
 * Finds previews on the page, now and whenever some are added.
 *
 * @param auto     Selector of plain links that get a hover preview.
 * @param near     Called whenever a preview comes near the viewport.
 * @param pointed  Called when a link with a hover preview is pointed at or focused.
 * @returns        A function that looks below another root, such as a shadow root.
 */
export function findPreviews(
  auto: string | undefined,
  near: (found: Element) => void,
  pointed: (link: Element) => void,
): (root?: Root) => void {
  const hover = auto ? `${HOVER},${auto}` : HOVER
  const approach = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) near(target)
    },
    { rootMargin: MARGIN },
  )
  const scan = (root: Root = document) => {
    for (const found of [root, ...root.querySelectorAll(PREVIEW)])
      if (found instanceof Element && found.matches(PREVIEW)) approach.observe(found)
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
