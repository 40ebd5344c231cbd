/**
 * The tag that brought this script; a module script does not know it, and is found by its name.
 *
 * @returns  `undefined` where there is none, as in a bundle.
 */
export function findScriptTag(document: Document): HTMLScriptElement | undefined {
  const tag = document.currentScript ?? document.querySelector('script[src*="page-preview"]')
  return tag instanceof HTMLScriptElement && tag.src ? tag : undefined
}
