type Root = Element | Document | ShadowRoot

const MARGIN_PX = 600
const HOVER = 'a[data-page-preview=hover]'
const PREVIEW = ':is(page-preview,a[data-page-preview]):not([data-page-preview=hover],[data-page-preview=false])'
const EAGER =
  ':is([loading=eager],[data-loading=eager],[priority],[data-priority]):not([priority=false],[data-priority=false])'

/**
 * Finds previews on the page, now and whenever some are added or marked.
 *
 * @param auto   Selector of plain links that get a hover preview; one that is none is reported, once.
 * @param first  Called before any other: a preview is probably near the viewport, which is only known in the next frame.
 * @param tell   Called with `near` whenever a preview comes near the viewport, is eager, or is about to be printed, with
 *               `hover` when a link with a hover preview is pointed at or focused.
 * @returns      A function that looks below another root, such as a shadow root.
 */
export function findPreviews(
  auto: string | undefined,
  first: () => object,
  tell: (what: 'near' | 'hover', found: Element) => unknown,
): (root?: Root) => void {
  let hover = `${HOVER},${auto ?? HOVER}`
  let begun: unknown
  const approach = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) tell('near', target)
    },
    { rootMargin: `${MARGIN_PX}px` },
  )
  const scan = (root: Root = document, eager = EAGER) => {
    for (const found of [root, ...root.querySelectorAll(PREVIEW)])
      if (found instanceof Element && found.matches(PREVIEW)) {
        for (const { top } of found.getClientRects()) begun ||= Math.abs(top) < innerHeight + MARGIN_PX && first()
        // So that it is told of what it knows, too.
        approach.unobserve(found)
        approach.observe(found)
        if (found.matches(eager)) tell('near', found)
      }
  }
  const point = ({ target }: Event) => {
    try {
      const link = target instanceof Element && target.closest(hover)
      if (link) tell('hover', link)
    } catch (error) {
      hover = HOVER
      reportError(error)
    }
  }

  scan()
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) scan(node)
  }).observe(document, { childList: true, subtree: true })
  addEventListener('pointerover', point)
  addEventListener('focusin', point)
  addEventListener('beforeprint', () => scan(document, '*'))
  return scan
}
