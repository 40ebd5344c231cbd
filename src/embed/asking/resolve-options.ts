import type { PreviewSettings } from '../element/index.js'
import { readAttributes } from './read-attributes.js'
import type { Settings } from './settings.js'

/** All that is said of one preview, by its element or marked link and for the whole page. */
export function resolveOptions(
  found: Element & { query?: PreviewSettings },
  settings: Settings,
  link = found instanceof HTMLAnchorElement ? found : found.querySelector('a'),
): Said {
  const said = {
    url: link?.href ?? '',
    ...settings.defaults,
    ...(link && (link === found || link.dataset.pagePreview !== undefined) && readAttributes(link, 'data-')),
    ...(link !== found && readAttributes(found)),
    ...found.query,
  }
  // A path or nothing yet: the link knows where it leads.
  return link && !/^https?:/i.test(said.url) ? { ...said, url: link.href } : said
}

type Said = PreviewSettings & { url: string }
