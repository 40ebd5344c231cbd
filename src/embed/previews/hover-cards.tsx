import { createRoot } from 'react-dom/client'
import { HoverPreview } from '../../react/index.js'
import { saidOf } from '../asking/index.js'
import type { Making } from './making.js'
import { themeAround } from './page-theme.js'
import { shadowOf } from './shadow-of.js'

/** Shows previews beside links that stay as they are: one at a time, in a place of its own at the end of the page. */
export function hoverCards({ settings, queryClient, sheet }: Making): (link: Element) => void {
  const place = document.createElement('div')
  const root = createRoot(shadowOf(place, sheet))
  let shown: Element | undefined
  return (link) => {
    if (!(link instanceof HTMLAnchorElement) || (link === shown && place.isConnected)) return
    shown = link
    document.body.append(place)
    root.render(
      <HoverPreview
        key={link.href}
        theme={themeAround(link)}
        {...saidOf(link, settings)}
        anchor={link}
        queryClient={queryClient}
      />,
    )
  }
}
