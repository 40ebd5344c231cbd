import { canParseUrl } from '../../query/written-url.js'
import { isShell } from './blank.js'
import { BARRIER_TITLES, LOGIN_WORDS } from './login-phrases.js'
import { includesAny, foldText, trimPunctuation } from './fold-text.js'
import type { PageObservation } from './page-observation.js'

/** A form, its advice and links. */
const MAX_LOGIN_CHARS = 2_500
/** Less text than that around a form is a footer. */
const MAX_READABLE_CHARS = 200
const LOGIN_HOST = /^(login|signin|sso|auth|accounts?|id|idp|identity)\./
const LOGIN_PATH =
  /(^|[/._-])(log[-_]?in|sign[-_]?in|log[-_]?on|sign[-_]?on|sso|auth|authorize|authenticate|servicelogin|authwall|session\/new|sessions\/new|anmelden|connexion|acceder|accedi|inloggen)([/._-]|$)/i

/** Statuses of a form that is sent in place of the page. */
const REFUSALS = new Set([401, 403])

/**
 * Whether the page redirected to a form to log in, refuses with one, or offers subscriptions in place of an article; a page of this kind
 * that was requested itself is content.
 */
export function isLogin(observation: PageObservation): boolean {
  return replacesPage(observation) || coversPage(observation) || isBarrier(observation)
}

/** Offers, their prices and links. */
const MAX_BARRIER_CHARS = 4_000
const OFFER_PATH =
  /(^|[/._-])(subscri\w{0,10}|abo(nnement|nnements|nnieren|s)?|suscri\w{0,10}|abbonamenti?|assin\w{0,10}|membership|join|register|signup|offers?|checkout)([/._-]|$)/i
/** Between a title and the name of its site. */
const TITLE_SEPARATOR = / [|–—·-] /

/** Whether the title is that of no article, but of the page that is sent in place of any. */
function isBarrier({ requestedUrl, document: { title, textChars } }: PageObservation): boolean {
  const [start = ''] = foldText(title).split(TITLE_SEPARATOR, 1)
  if (textChars > MAX_BARRIER_CHARS || !BARRIER_TITLES.has(trimPunctuation(start))) return false
  return canParseUrl(requestedUrl) && !isLoginUrl(requestedUrl) && !OFFER_PATH.test(new URL(requestedUrl).pathname)
}

/** Whether a form is in front of a page of which nothing can be read; what can be read is shown without the form. */
function coversPage({ url, hidesBanners, document }: PageObservation): boolean {
  const { cover, fields, textChars, hasOwnMetadata } = document
  if (!hidesBanners || cover === null || fields.password === 0 || cover.length > MAX_LOGIN_CHARS) return false
  const isPage = !hasOwnMetadata || isLoginUrl(url) || !canParseUrl(url) || new URL(url).pathname.length <= 1
  return !isPage && textChars - cover.length < MAX_READABLE_CHARS && includesAny(foldText(cover), LOGIN_WORDS)
}

function replacesPage({ url, requestedUrl, statusCode, document }: PageObservation): boolean {
  const isRefused = REFUSALS.has(statusCode)
  if ((isSamePage(url, requestedUrl) && !isRefused) || isLoginUrl(requestedUrl)) return false
  const { fields, title, headings, labels, textChars } = document
  if (textChars > MAX_LOGIN_CHARS) return false
  // Scripts add the form to a document that has none.
  if (fields.password + fields.text === 0) return isShell(document) && isLoginUrl(url) && isLoginTitle(title)
  const isNamed = [title, ...headings, ...labels].some(isLoginTitle)
  const isForm = fields.password > 0 || isLoginTitle(title)
  return isNamed && (isLoginUrl(url) || (isForm && (isRefused || leadsBack(url))))
}

const isLoginTitle = (text: string) => includesAny(foldText(text), LOGIN_WORDS)

/** Whether the address names a page to return to, as the address of a login form does. */
function leadsBack(url: string): boolean {
  const names = canParseUrl(url) ? [...new URL(url).searchParams.keys()] : []
  return names.some((name) => RETURN_PARAMETERS.has(name.toLowerCase().replace(/[-_]/g, '')))
}

const RETURN_PARAMETERS = new Set([
  'next',
  'continue',
  'return',
  'returnto',
  'returnurl',
  'redir',
  'redirect',
  'redirectto',
  'redirecturl',
  'redirecturi',
  'goto',
  'dest',
  'destination',
  'from',
  'back',
  'service',
  'samlrequest',
])

export function isLoginUrl(url: string): boolean {
  if (!canParseUrl(url)) return false
  const { hostname, pathname, hash } = new URL(url)
  return LOGIN_HOST.test(hostname) || LOGIN_PATH.test(pathname) || LOGIN_PATH.test(hash.slice(1))
}

/** Apart from the scheme, `www`, the query and a slash at the end. */
const isSamePage = (a: string, b: string) => pageOf(a) === pageOf(b)

function pageOf(url: string): string {
  if (!canParseUrl(url)) return url
  const { hostname, port, pathname, hash } = new URL(url)
  const route = hash.startsWith('#/') || hash.startsWith('#!') ? hash : ''
  return `${hostname.replace(/^www\./, '')}:${port}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}${route}`
}
