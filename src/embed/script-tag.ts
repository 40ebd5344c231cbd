/** In SVG a script has no `src`, and cannot start. */
export type ScriptTag = HTMLOrSVGScriptElement & { src?: string }

/** Logs for the author of the page, in the console, why there are no previews. */
export function logStartFailure(error: unknown): undefined {
  console.error('page-preview cannot start:', error)
}

/** URL of the service: `data-endpoint` of the script tag, by default the origin that the script came from. */
export const scriptEndpoint = ({ src, dataset }: ScriptTag): string => dataset.endpoint || new URL('/', src).href

/** Matches what freezing has written; `static/freeze/card.ts` has the name of the attribute, for code without a browser. */
export const FROZEN = '[data-frozen]'
