import { createRoot } from 'react-dom/client'
import { HoverPreview } from '../../react/index.js'
import { leadsToPage } from './link-of.js'
import type { Making } from './making.js'
import { propsOf } from './props-of.js'
import { shadowOf } from './shadow-of.js'

/** The page's rules for its elements do not reach the place, and nothing moves when it comes; only the letters are the page's. */
const OUT_OF_FLOW = 'all: initial; position: fixed; font: inherit; color: inherit'

/** Shows previews beside links that stay as they are: one at a time, in a place of its own at the end of the page. */
export function hoverCards(making: Making): (link: Element) => void {
  const place = document.createElement('div')
  place.style.cssText = OUT_OF_FLOW
  const root = createRoot(shadowOf(place, making.sheet))
  let shown: HTMLAnchorElement | undefined
  const show = () => {
    if (shown) root.render(<HoverPreview key={shown.href} {...propsOf(shown, making)} anchor={shown} />)
  }
  making.settings.addEventListener('change', show)
  return (link) => {
    // A link among others may say that it wants none.
    if (!(link instanceof HTMLAnchorElement && leadsToPage(link)) || link.dataset.pagePreview === 'false') return
    shown = link
    if (!place.isConnected) document.body.append(place)
    show()
  }
}
