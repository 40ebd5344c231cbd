import { createRoot } from 'react-dom/client'
import { HoverPreview } from '../../react/index.js'
import { themeAround } from './page-theme.js'
import { readAttributes } from './read-attributes.js'
import type { Settings } from './settings.js'
import { shadowOf } from './shadow-of.js'

/** Shows previews beside links that stay as they are: one at a time, in a place of its own at the end of the page. */
export function hoverCards(settings: Settings): (link: Element) => void {
  const place = document.createElement('div')
  const root = createRoot(shadowOf(place, settings.sheet))
  let shown: Element | undefined
  return (link) => {
    if (!(link instanceof HTMLAnchorElement) || (link === shown && place.isConnected)) return
    shown = link
    document.body.append(place)
    root.render(
      <HoverPreview
        key={link.href}
        theme={themeAround(link)}
        {...settings.defaults}
        {...readAttributes(link, 'data-')}
        url={link.href}
        anchor={link}
        queryClient={settings.queryClient}
      />,
    )
  }
}
