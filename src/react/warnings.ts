import { canParseUrl } from '../query/can-parse-url.js'
import { layoutWarning, type PreviewRequest } from '../card/index.js'
import { isScreenshotOption, nearestName, unknownParameters, withNearestParameter } from '../query/help/index.js'
import { fields, type Endpoint, type PageError, type PageQuery } from '../query/index.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

const warned = new Set<string>()

/**
 * Warns a developer in the console, once for each cause.
 *
 * @param cause      What happened and what to do, as sentences.
 * @param component  The name of the component in code, if it is known: `PagePreview`, `usePagePreview`.
 */
export function warnOnce(cause: string, component?: string): void {
  if (warned.has(cause)) return
  warned.add(cause)
  const subject = component?.startsWith('use') ? `${component}()` : component && `<${component}>`
  console.warn(['page-preview', subject, cause].filter(Boolean).join(': '))
}

/** What the warnings about one preview depend on. */
export interface CheckedPreview {
  /** Name of the component or hook as it is written in code. */
  component: string
  /** Absent as long as nothing is fetched. */
  request: PreviewRequest | undefined
  endpoint: Endpoint | undefined
  layout?: unknown
  error?: PageError | undefined
}

/**
 * Warns developers about what they can fix, in the console of the browser or of their server. Does nothing in production.
 */
export function warnOfPreview({ component, request, endpoint, layout, error }: CheckedPreview): void {
  if (process.env.NODE_ENV === 'production') return
  const warnings = [
    ...(request?.jsonQuery ? unknownParameters(request.query) : []).map(withNearestParameter),
    layoutWarning(layout),
    request && error && errorWarning(error, request, endpoint),
  ]
  for (const warning of warnings) if (warning) warnOnce(warning, component)
}

/** Errors that the page itself or its server causes, such as dead links, which are not mistakes of the developer. */
const USUAL_ERRORS = /^E(UNREACHABLE|MAXREDIRECTS|TIMEOUT|BRWSRTIMEOUT|TOOLARGE|ABORTED)$/
/** No response arrived, or it did not come from a preview service. */
const NO_SERVICE = 'EFATALCLIENT'

/**
 * What a developer can do about an error: with the parameter and its value, the code, and where the code is explained.
 *
 * @returns  `undefined` for an error that is not a mistake of the developer.
 */
function errorWarning(
  error: PageError,
  { query, queryKey: [, , serviceUrl] }: PreviewRequest,
  endpoint: Endpoint | undefined,
): string | undefined {
  const { code, message } = error
  if (USUAL_ERRORS.test(code)) return undefined
  const isUnknownService = code === NO_SERVICE && endpoint === undefined
  const sentences = isUnknownService
    ? 'There is no `endpoint`, and no preview service responds at /page-preview of this site. ' +
      'Pass the URL of a service, `endpoint="https://previews.example.com"`, here or to <PagePreviewProvider>, ' +
      'or mount `createProxy` of page-preview/proxy at /page-preview.'
    : [...invalidParameters(error, query), message, advice(error, query)].filter(Boolean).join(' ')
  return `${sentences} (${code}) ${explanation(code, serviceUrl)}`
}

/** `ttl={5}:` for each parameter that the error names. */
function invalidParameters({ data }: PageError, query: PageQuery): string[] {
  return Object.keys(data).map((name) => {
    const value = valueOf(query, name)
    if (typeof value === 'string') return `${name}={${JSON.stringify(value.slice(0, 99))}}:`
    return typeof value === 'number' || typeof value === 'boolean' ? `${name}={${value}}:` : `${name}:`
  })
}

function valueOf(query: PageQuery, name: string): unknown {
  // A header may be a secret.
  if (name.startsWith('headers')) return undefined
  const nested = (names: string[]) =>
    names.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], query)
  return nested([name]) ?? nested(name.split('.')) ?? nested(['screenshot', ...name.split('.')])
}

function advice({ code }: PageError, { url }: PageQuery): string | undefined {
  if (code === 'EFORBIDDENURL' && canParseUrl(url))
    return `If it is your own page, start the service with \`--allow-target ${new URL(url).host}\`.`
  if (code === 'EAUTH') return 'Pass `apiKey` on a server only; browsers get previews through `createProxy`.'
  return undefined
}

/** A service has a page about its codes; a path of the site may belong to a proxy, which forwards previews only. */
function explanation(code: string, serviceUrl: string): string {
  return canParseUrl(serviceUrl) && code !== NO_SERVICE
    ? `${serviceUrl.replace(/\/$/, '')}/playground/errors.html#${code}`
    : `node_modules/page-preview/stories/docs/errors.mdx#${code.toLowerCase()}`
}

/** The name of an event handler, of `data-*` and of `aria-*`. */
const ANY_ELEMENT = /^on[A-Z]|-/

/**
 * A warning for an attribute that is probably a misspelled prop: no element has it, and a prop has almost the same name.
 *
 * @param optionNames  The props that are not parameters.
 */
export function unknownPropWarning(name: string, optionNames: Iterable<string>): string | undefined {
  if (ANY_ELEMENT.test(name) || isOfElements(name)) return undefined
  const suggestions = parameterProps()
  const nearest = nearestName(name, [...suggestions.keys(), ...optionNames], Math.max(1, name.length / 3))
  return nearest && `Unknown prop "${name}". Did you mean ${suggestions.get(nearest) ?? nearest}?`
}

/** How to write each parameter as a prop, by its name; options of `screenshot` also by their name alone. */
function parameterProps(): Map<string, string> {
  const props = new Map<string, string>()
  const names = Object.keys(fields)
  for (const name of names.filter(isScreenshotOption)) {
    const [group, option] = name.split('.')
    if (option) props.set(option, `${group}={{ ${option}: … }}`)
  }
  for (const [group = ''] of names.map((name) => name.split('.'))) props.set(group, group)
  return props
}

const isOfElements = (name: string) =>
  ['a', 'img'].some((element) => name in document.createElement(element)) || ['children', 'ref', 'key'].includes(name)
