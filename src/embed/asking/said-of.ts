import type { PreviewSettings } from '../element/index.js'
import { readAttributes } from './read-attributes.js'
import type { Settings } from './settings.js'

/** All that is said of one preview, by its element or marked link and for the whole page. */
export function saidOf(found: Element & { query?: PreviewSettings }, settings: Settings): Said {
  if (found instanceof HTMLAnchorElement)
    return { ...settings.defaults, ...readAttributes(found, 'data-'), url: found.href }
  const url = found.querySelector('a')?.href ?? ''
  return { url, ...settings.defaults, ...readAttributes(found), ...found.query }
}

type Said = PreviewSettings & { url: string }
