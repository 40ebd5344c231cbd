import type { Hosts } from '../query/index.js'

/**
 * Where the script asks: `data-free` and `data-pro` of its tag, else the origin that it came from.
 *
 * @returns  `undefined` when the tag cannot be found, as in a bundle.
 */
export function scriptHosts(document: Document): Hosts | undefined {
  const tag = document.currentScript ?? document.querySelector('script[src*="page-preview.js"]')
  if (!(tag instanceof HTMLScriptElement) || !tag.src) return undefined
  const { free = new URL('/', tag.src).href, pro = free } = tag.dataset
  return { free, pro }
}
