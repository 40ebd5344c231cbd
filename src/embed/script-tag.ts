import type { Hosts } from '../query/index.js'

/** In SVG a script has no `src`, and cannot start. */
export type ScriptTag = HTMLOrSVGScriptElement & { src?: string }

/**
 * The tag that loaded this script: the current script, or for a module, which has none, the first one with its file name.
 * Not `document.currentScript`, which an image of this name would replace.
 *
 * @returns  `null` if there is no such tag, as in a bundle.
 */
export const findScriptTag = (): ScriptTag | null =>
  Reflect.get(Document.prototype, 'currentScript', document) ??
  document.querySelector<HTMLScriptElement>('script[src*="/page-preview.js"]')

/** The hosts of the service: `data-free` and `data-pro` of the script tag, by default the origin that the script came from. */
export function scriptHosts({ src, dataset }: ScriptTag): Hosts {
  const { free = new URL('/', src).href, pro = free } = dataset
  return { free, pro }
}

/** Logs for the author of the page, in the console, why there are no previews. */
export function logStartFailure(error: unknown): undefined {
  console.error('page-preview cannot start:', error)
}
