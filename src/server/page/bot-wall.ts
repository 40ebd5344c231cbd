import type { FetchedPage } from './fetch-page.js'
import type { PageFacts } from './page-facts.js'

/** What the products that ask visitors to prove themselves say in their own headers. */
const HEADERS: readonly (readonly [name: string, value: RegExp])[] = [
  ['cf-mitigated', /challenge|block/],
  ['x-vercel-mitigated', /challenge|deny/],
  ['x-amzn-waf-action', /challenge|captcha/],
]

/**
 * What only their walls contain. Most of them put a script of theirs into ordinary pages too, under other names.
 *
 * In order: Cloudflare, DataDome, HUMAN (PerimeterX), Imperva (Incapsula), Akamai, AWS, Kasada, Sucuri, DDoS-Guard, Anubis, Fastly.
 */
const MARKERS =
  /_cf_chl_opt|\bid=["']?(cf-challenge|challenge-form|cf-error-details)\b|\/\/(geo|ct|i)\.captcha-delivery\.com\/|\bid=["']?px-captcha\b|captcha\.(px-cdn|perimeterx)\.net|Incapsula incident ID|_Incapsula_Resource\?[^"']*incident_id|errors\.edgesuite\.net|\/_sec\/verify\?provider=|\bid=["']?sec-if-cpt-container\b|gokuProps|\bips\.js\?KP_UIDz|sucuri_cloudproxy_js|\/\.well-known\/ddos-guard\/|\bid=["']?anubis_challenge\b|\/_fs-ch-/

/** Said by no page of its own when little else stands there. */
const SURE_TITLES =
  /^(just a moment|attention required! \| cloudflare|checking your browser( before accessing .*)?|ddos protection by .*|(please )?(verify|confirm) (that )?(you are|you're) (a )?(human|not a robot)|verifying (that )?(you are|you're) (a )?human|(are you|you are) a (robot|human)|robot or human|vercel security checkpoint|pardon our interruption|client challenge|making sure you('re| are) not a bot|access to this page has been denied|sucuri website firewall.*)$/

/** Said also by pages about the matter, so only what came with a refusal counts. */
const LIKELY_TITLES =
  /^(access (is )?denied|blocked|(sorry, )?you have been blocked|request (rejected|blocked|unsuccessful)|security (check|checkpoint|verification)( required)?|(human|bot|robot|browser) (verification|check|challenge)|captcha( challenge| required)?|one more step|ddos-guard|bot detected|(too many requests: )?unusual traffic.*)$/

const REFUSALS = new Set([202, 403, 405, 406, 429, 503])
/** A wall is a form and a few sentences. */
const MAX_WALL_CHARS = 2_500
const MAX_MARKED_CHARS = 200_000

/** Says whether a page shows a check for robots in the place of its content. */
export function isBotWall(page: Pick<FetchedPage, 'statusCode' | 'headers' | 'html'>, facts: PageFacts): boolean {
  if (HEADERS.some(([name, value]) => value.test(page.headers[name] ?? ''))) return true
  if (facts.textChars > MAX_WALL_CHARS) return false
  if (MARKERS.test(page.html.slice(0, MAX_MARKED_CHARS))) return true
  const isRefused = REFUSALS.has(page.statusCode)
  const title = plainTitle(facts.title ?? facts.body.heading[0] ?? '')
  if (SURE_TITLES.test(title)) return isRefused || !describesItself(facts)
  return isRefused && LIKELY_TITLES.test(title)
}

const describesItself = ({ metas }: PageFacts) =>
  ['og:title', 'og:description', 'description'].some((name) => metas.has(name))

const MAX_TITLE_CHARS = 200

const plainTitle = (title: string) =>
  title
    .slice(0, MAX_TITLE_CHARS)
    .replace(/\s+/g, ' ')
    .replaceAll('’', "'")
    .trim()
    .replace(/[.…!?]+$/, '')
    .toLowerCase()
