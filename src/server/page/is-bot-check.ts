import type { MetadataSources } from './document/index.js'
import type { FetchedPage } from './fetch/index.js'

/** Response headers by which bot protection services mark their challenge pages. */
const HEADERS: readonly (readonly [name: string, value: RegExp])[] = [
  ['cf-mitigated', /challenge|block/],
  ['x-vercel-mitigated', /challenge|deny/],
  ['x-amzn-waf-action', /challenge|captcha/],
]

/** Markup that occurs in challenge pages only; most services also add a script to ordinary pages, under other names. */
const MARKERS: readonly (string | RegExp)[] = [
  // Cloudflare; the ids of all services.
  '_cf_chl_opt',
  /\bid=["']?(cf-challenge|challenge-form|cf-error-details|px-captcha|sec-if-cpt-container|anubis_challenge)\b/,
  // DataDome
  /\/\/(geo|ct|i)\.captcha-delivery\.com\//,
  // HUMAN (PerimeterX)
  /captcha\.(px-cdn|perimeterx)\.net/,
  // Imperva (Incapsula)
  'Incapsula incident ID',
  /_Incapsula_Resource\?[^"'?]*incident_id/,
  // Akamai
  'errors.edgesuite.net',
  '/_sec/verify?provider=',
  // AWS
  'gokuProps',
  // Kasada
  /\bips\.js\?KP_UIDz/,
  // Sucuri
  'sucuri_cloudproxy_js',
  // DDoS-Guard
  '/.well-known/ddos-guard/',
  // Fastly
  '/_fs-ch-',
]

/** Titles that a short page only has when it is a bot check. */
const CERTAIN_TITLES =
  /^(just a moment|attention required! \| cloudflare|checking your browser|(please )?(verify|confirm) (that )?(you are|you're) (a )?(human|not a robot)|verifying (that )?(you are|you're) (a )?human|(are you|you are) a (robot|human)|robot or human|vercel security checkpoint|pardon our interruption|client challenge|making sure you('re| are) not a bot|access to this page has been denied)$/

/** How titles begin that name the protected site after it. */
const CERTAIN_TITLE_STARTS = /^(checking your browser before accessing |ddos protection by |sucuri website firewall)/

/** Titles that ordinary pages have too, so they only count together with a refusal status. */
const LIKELY_TITLES =
  /^(access (is )?denied|blocked|(sorry, )?you have been blocked|request (rejected|blocked|unsuccessful)|security (check|checkpoint|verification)( required)?|(human|bot|robot|browser) (verification|check|challenge)|captcha( challenge| required)?|one more step|ddos-guard|bot detected)$/

const LIKELY_TITLE_STARTS = /^(too many requests: )?unusual traffic/

const REFUSAL_STATUSES = new Set([202, 403, 405, 406, 429, 503])
/** A challenge page consists of a form and a few sentences. */
const MAX_CHALLENGE_CHARS = 2_500
const MAX_MARKER_CHARS = 200_000

/** Whether a page shows a bot check (challenge, captcha) instead of its content. */
export function isBotCheck(
  page: Pick<FetchedPage, 'statusCode' | 'headers'> & { html: string },
  sources: MetadataSources,
): boolean {
  if (HEADERS.some(([name, value]) => value.test(page.headers[name] ?? ''))) return true
  if (sources.textChars > MAX_CHALLENGE_CHARS) return false
  if (hasMarker(page.html.slice(0, MAX_MARKER_CHARS))) return true
  const isRefused = REFUSAL_STATUSES.has(page.statusCode)
  const title = normaliseTitle(sources.title ?? sources.body.heading[0] ?? '')
  if (CERTAIN_TITLES.test(title) || CERTAIN_TITLE_STARTS.test(title)) return isRefused || !hasOwnMetadata(sources)
  return isRefused && (LIKELY_TITLES.test(title) || LIKELY_TITLE_STARTS.test(title))
}

const hasMarker = (html: string) =>
  MARKERS.some((marker) => (typeof marker === 'string' ? html.includes(marker) : marker.test(html)))

const hasOwnMetadata = ({ metas }: MetadataSources) =>
  ['og:title', 'og:description', 'description'].some((name) => metas.has(name))

const MAX_TITLE_CHARS = 200

const normaliseTitle = (title: string) =>
  title
    .slice(0, MAX_TITLE_CHARS)
    .replace(/\s+/g, ' ')
    .replaceAll('’', "'")
    .trim()
    .replace(/(?<![.…!?])[.…!?]+$/, '')
    .toLowerCase()
