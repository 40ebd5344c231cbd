/**
 * The tag that brought this script; a module script does not know it, and is found by its name.
 *
 * @returns  `undefined` where there is none, as in a bundle.
 */
export function findScriptTag(): HTMLScriptElement | undefined {
  const tag = document.currentScript ?? document.querySelector<HTMLScriptElement>('script[src*="/page-preview.js"]')
  return tag && 'src' in tag ? tag : undefined
}
