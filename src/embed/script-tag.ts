// What every part of the script reads of the page, even of one whose elements hide members of the document.

/** In SVG a script has no `src`, and cannot start. */
export type ScriptTag = HTMLOrSVGScriptElement & { src?: string }

/**
 * The tag that loaded this script: the current script, or for a module, which has none, the first one with its file name.
 *
 * @returns  `null` if there is no such tag, as in a bundle that is a module. In any other bundle it is the tag of the bundle: then,
 *           too, nothing starts, because the parts of the script are not beside it.
 */
export const findScriptTag = (): ScriptTag | null =>
  builtinMember(document, 'currentScript') ??
  document.querySelector<HTMLScriptElement>('script[src*="/page-preview.js"]')

/** URL of the service: `data-endpoint` of the script tag, by default the origin that the script came from. */
export const scriptEndpoint = ({ src, dataset }: ScriptTag): string => dataset.endpoint || new URL('/', src).href

/** Matches what freezing has written; `static/freeze/card.ts` has the name of the attribute, for code without a browser. */
export const FROZEN = '[data-frozen]'

/** Logs for the author of the page, in the console, why there are no previews. */
export function logStartFailure(error: unknown): undefined {
  console.error('page-preview cannot start:', error)
}

/**
 * Reads a member of a document or an element as the browser defines it. An image named `head` replaces `document.head`, and the
 * fields of a form hide its methods of the same name.
 */
export const builtinMember = <Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
): Target[Name] => Reflect.get(Object.getPrototypeOf(target) as object, name, target)
