import type { PageError, PageQuery } from '../../query/index.js'
import type { ServiceOptions } from './source-options.js'

/** Errors that the page itself or its server causes, such as dead links, which are not mistakes of the developer. */
const USUAL_ERRORS = /^E(UNREACHABLE|MAXREDIRECTS|TIMEOUT|BRWSRTIMEOUT|TOOLARGE|ABORTED)$/
/** No response arrived, or it is not that of a preview service. */
const NO_SERVICE = 'EFATALCLIENT'

/**
 * What a developer can do about an error: with the parameter and its value, the code, and where the code is explained.
 *
 * @param serviceUrl  The service's URL, as in the key of the query.
 * @returns           `undefined` for an error that is not a mistake of the developer.
 */
export function errorWarning(
  error: PageError,
  query: PageQuery,
  { hosts, serviceUrl }: Pick<ServiceOptions, 'hosts'> & { serviceUrl: string },
): string | undefined {
  const { code, message } = error
  if (USUAL_ERRORS.test(code)) return undefined
  const isUnknownService = code === NO_SERVICE && hosts === undefined
  const sentences = isUnknownService
    ? 'There are no `hosts`, and no preview service responds at /page-preview of this site. ' +
      'Pass the URL of a service, `hosts="https://previews.example.com"`, here or to <PagePreviewProvider>, ' +
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
  if (code === 'EFORBIDDENURL' && URL.canParse(url))
    return `If it is a page of your own, start the service with \`--allow-target ${new URL(url).host}\`.`
  if (code === 'EAUTH') return 'Pass `apiKey` on a server only; browsers get previews through `createProxy`.'
  return undefined
}

/** A service has a page about its codes; a path of the site may be that of a proxy, which forwards previews only. */
function explanation(code: string, serviceUrl: string): string {
  return URL.canParse(serviceUrl) && code !== NO_SERVICE
    ? `${serviceUrl.replace(/\/$/, '')}/playground/errors.html#${code}`
    : `node_modules/page-preview/stories/docs/errors.mdx#${code.toLowerCase()}`
}
