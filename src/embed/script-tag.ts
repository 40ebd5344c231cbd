/** In SVG a script has no `src`, and cannot start. */
export type ScriptTag = HTMLOrSVGScriptElement & { src?: string }

/**
 * The tag that brought this script; a module script does not know it, and is found by its name.
 *
 * @returns  `undefined` where there is none, as in a bundle.
 */
export const findScriptTag = (): ScriptTag | undefined =>
  document.currentScript ?? document.querySelector<HTMLScriptElement>('script[src*="/page-preview.js"]') ?? undefined
