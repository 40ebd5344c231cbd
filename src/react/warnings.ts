import { canParseUrl } from '../query/written-url.js'
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
interface CheckedPreview {
  /** Name of the component or hook as it is written in code. */
  component: string
  /** Absent as long as nothing is fetched. */
  request: PreviewRequest | undefined
  endpoint: Endpoint | undefined
  layout?: unknown
  error?: PageError | undefined
  /** Whether the service has responded before. */
  hasResult?: boolean
}

/**
 * Warns developers about what they can fix, in the console of the browser or of their server. Does nothing in production.
 */
export function warnOfPreview({ component, request, endpoint, layout, error, hasResult }: CheckedPreview): void {
  if (process.env.NODE_ENV === 'production') return
  const warnings = [
    ...(request?.jsonQuery ? unknownParameters(request.query) : []).map(withNearestParameter),
    layoutWarning(layout),
    request && browserWarning(request),
    request && error && errorWarning(error, request, endpoint === undefined && !hasResult),
  ]
  for (const warning of warnings) if (warning) warnOnce(warning, component)
}

/** What works on a server, but not in a browser. */
function browserWarning({ apiKey, url }: PreviewRequest): string | undefined {
  if (typeof location === 'undefined') return undefined
  if (location.protocol === 'https:' && /^http:\/\/(?!localhost|127\.)/.test(url))
    return (
      `Browsers block requests from this https page to ${new URL(url).origin}, which is http. ` +
      'Pass an https `endpoint`, or mount `createProxy` of page-preview/proxy at /page-preview.'
    )
  return apiKey
    ? '`apiKey` is sent by the browser, where everybody can read it. Keep it on a server: mount `createProxy` of ' +
        'page-preview/proxy at /page-preview, and leave out `apiKey` and `endpoint`.'
    : undefined
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
  mayLackService: boolean,
): string | undefined {
  const { code, message } = error
  if (USUAL_ERRORS.test(code)) return undefined
  const sentences =
    code === NO_SERVICE && mayLackService
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

function advice({ code, message }: PageError, { url }: PageQuery): string | undefined {
  // The option cannot help against a list of hosts.
  if (code === 'EFORBIDDENURL' && !/previewed here|does not create/.test(message) && canParseUrl(url))
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

/** What to write in place of props that other libraries have, or that belong to another component. */
const OTHER_PROPS: Readonly<Record<string, string>> = {
  ...record(['src', 'href'], 'pass the URL of the page as `url`'),
  ...record(['host', 'hosts'], 'pass the URL of the service as `endpoint`'),
  ...record(['fetch', 'queryClient', 'messages', 'locale'], 'pass it to <PagePreviewProvider>'),
  ...record(['components'], 'compose your own card of the parts of page-preview/parts'),
  media: 'pass `screenshot` for a screenshot; without it, the preview shows the image of the page',
}

function record(names: readonly string[], advice: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, advice]))
}

/** The name of an event handler, of `data-*` and of `aria-*`. */
const ANY_ELEMENT = /^on[A-Z]|-/

const checkedProps = new Set<string>()

/** Warns about props that the root element gets as attributes although no element has them, once for each name. */
export function warnOfUnknownProps(attributes: object, propNames: readonly string[]): void {
  for (const name of Object.keys(attributes)) {
    if (checkedProps.has(name)) continue
    checkedProps.add(name)
    const warning = unknownPropWarning(name, propNames)
    if (warning) warnOnce(warning)
  }
}

/** A warning for an attribute that is probably meant as a prop; `undefined` for an attribute of elements. */
function unknownPropWarning(name: string, propNames: readonly string[]): string | undefined {
  const advice = OTHER_PROPS[name] ?? parameterAdvice(name)
  if (advice) return `"${name}" is not a prop: ${advice}.`
  if (ANY_ELEMENT.test(name) || isOfElements(name)) return undefined
  const nearest = nearestName(name, [...propNames, ...parameterNames()], Math.max(1, name.length / 3))
  return (
    nearest &&
    `"${name}" is not a prop: did you mean ${propNames.includes(nearest) ? nearest : parameterForm(nearest)}?`
  )
}

const parameterAdvice = (name: string) => {
  // `title`, `type` and the like are also attributes of elements.
  return name !== 'title' &&
    parameterNames().includes(name) &&
    !(isScreenshotOption(`screenshot.${name}`) && isOfElements(name))
    ? `write ${parameterForm(name)}`
    : undefined
}

/** How to write a parameter that is not a prop of its own. */
const parameterForm = (name: string) =>
  isScreenshotOption(`screenshot.${name}`) ? `screenshot={{ ${name}: … }}` : `query={{ ${name}: … }}`

/** Each parameter, one name for each group of them, and the options of `screenshot` by their name alone. */
const parameterNames = (): string[] =>
  Object.keys(fields).map((name) => (name.startsWith('screenshot.') ? name.slice(11) : (name.split('.')[0] ?? name)))

const isOfElements = (name: string) =>
  ['a', 'img'].some((element) => name in document.createElement(element)) || ['children', 'ref', 'key'].includes(name)
