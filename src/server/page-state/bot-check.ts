import { CERTAIN_BOT_CHECK_PHRASES, LIKELY_BOT_CHECK_PHRASES, WAITING_TITLES } from './bot-check-phrases.js'
import { includesAny, foldText, trimPunctuation } from './fold-text.js'
import type { ObservedDocument, PageObservation } from './page-observation.js'

/** Response headers by which bot protection services mark their challenge pages. */
const HEADERS: readonly (readonly [name: string, value: RegExp])[] = [
  ['cf-mitigated', /challenge|block/],
  ['x-vercel-mitigated', /challenge|deny/],
  ['x-amzn-waf-action', /challenge|captcha/],
  ['server', /^bitninja captcha server/i],
]

/** Markup that occurs in challenge pages only; most services also add a script to ordinary pages, under other names. */
const MARKERS: readonly (string | RegExp)[] = [
  // Cloudflare. The second pattern has the element ids of all services.
  '_cf_chl_opt',
  /\bid=["']?(cf-challenge|challenge-form|cf-error-details|px-captcha|sec-if-cpt-container|anubis_challenge)\b/,
  // DataDome
  /[/"'](geo|ct|i)\.captcha-delivery\.com[/"']/,
  // HUMAN (PerimeterX)
  /captcha\.(px-cdn|perimeterx)\.net/,
  // Imperva (Incapsula)
  /_Incapsula_Resource\?[^"'?]*incident_id/,
  // Akamai
  '/_sec/verify?provider=',
  // AWS
  'gokuProps',
  // Kasada
  /\bips\.js\?KP_UIDz/,
  'KPSDK.now=',
  // Amazon
  /\/errors(?:_page)?\/validateCaptcha/,
  // Sucuri
  'sucuri_cloudproxy_js',
  // DDoS-Guard
  '/.well-known/ddos-guard/',
  // Fastly
  '/_fs-ch-',
  // F5 (Shape)
  'bobcmn',
  // Qrator
  '/__qrator/qauth',
  // TikTok
  '_wafchallengeid',
  // SiteGround
  '/.well-known/sgcaptcha/',
  // Alibaba Cloud
  'acw_sc__v2',
  // Reddit
  /\bname=["']?js_challenge\b/,
  // Queue-it
  /\b(assets|static)\.queue-it\.net\/(script|css)s?\//,
]

/** What only the text of a refusal contains. */
const TEXT_MARKERS: readonly string[] = [
  'Incapsula incident ID',
  'errors.edgesuite.net',
  // F5
  'The requested URL was rejected. Please consult with your administrator.',
]

/** Titles that a short page only has when it is a bot check. */
const CERTAIN_TITLES =
  /^(just a moment|attention required! \| cloudflare|checking your browser|(please )?(verify|confirm) (that )?(you are|you're) (a )?(human|not a robot)|verifying (that )?(you are|you're) (a )?human|(are you|you are) a (robot|human)|robot or human|vercel security checkpoint|pardon our interruption|client challenge|making sure you('re| are) not a bot|access to this page has been denied|waiting for the redirectiron|百度安全验证)$/

/** How titles begin that name the protected site after it. */
const CERTAIN_TITLE_STARTS =
  /^(checking your browser before accessing |ddos protection by |sucuri website firewall|your access to this site has been limited)/

/** Titles that ordinary pages have too, so they only count together with a refusal status. */
const LIKELY_TITLES =
  /^(access (is )?denied|blocked|(sorry, )?you have been blocked|request (rejected|blocked|unsuccessful)|security (check|checkpoint|verification)( required)?|(human|bot|robot|browser) (verification|check|challenge)|captcha( challenge| required)?|one more step|ddos-guard|bot detected)$/

const LIKELY_TITLE_STARTS = /^(too many requests: )?unusual traffic/

const REFUSAL_STATUSES = new Set([202, 403, 405, 406, 429, 503])
/** A challenge page consists of a form and a few sentences. */
const MAX_CHALLENGE_CHARS = 2_500
/** Longest text of a refusal without a form. */
const MAX_REFUSAL_CHARS = 1_000
/** Elements that a bot check needs: without one of them a document cannot check its visitor. */
const INTERACTION = /<(?:script|form|iframe|input|button|meta http-equiv)\b/i

/** A check with its instructions; articles about checks are longer. */
const MAX_INSTRUCTION_CHARS = 900
/** A widget or a refusal that names no service. */
const MAX_WIDGET_CHARS = 500
/** A check may ask for the characters of an image. */
const MAX_TEXT_FIELDS = 1
/** A page with larger images shows content. */
const MAX_MEDIA_SHARE = 0.5

/** Whether a page shows a bot check (challenge, captcha, waiting room) instead of its content. */
export function isBotCheck(observation: PageObservation): boolean {
  if (isOfKnownService(observation)) return true
  const { statusCode, document } = observation
  const [heading = ''] = document.headings
  if (!mayBeCheck(document)) return false
  const title = foldText(document.title)
  const text = foldText(`${heading} ${document.text}`)
  const isRefused = REFUSAL_STATUSES.has(statusCode)
  const hasWidget = document.fields.captcha > 0
  const isShort = document.textChars <= MAX_WIDGET_CHARS
  if (includesAny(`${title} ${text}`, CERTAIN_BOT_CHECK_PHRASES))
    return (
      isRefused ||
      hasWidget ||
      isInstruction(document, { isNamed: includesAny(`${title} ${foldText(heading)}`, BOT_CHECK_PHRASES) })
    )
  if (isShort && WAITING_TITLES.includes(trimPunctuation(title))) return isRefused || hasWidget
  return isShort && (isRefused || hasWidget) && includesAny(`${title} ${text}`, LIKELY_BOT_CHECK_PHRASES)
}

function mayBeCheck({ textChars, fields, media }: ObservedDocument): boolean {
  const isForm = fields.password > 0 || fields.text > MAX_TEXT_FIELDS
  return textChars <= MAX_INSTRUCTION_CHARS && !isForm && media.share < MAX_MEDIA_SHARE
}

const BOT_CHECK_PHRASES = [...CERTAIN_BOT_CHECK_PHRASES, ...LIKELY_BOT_CHECK_PHRASES]

/** Whether the page addresses its visitor in a few sentences, unlike an article; there may be more sentences if its title names the check. */
const isInstruction = (
  { hasOwnMetadata, hasActiveContent, fields, textChars }: ObservedDocument,
  { isNamed }: { isNamed: boolean },
) => !hasOwnMetadata && (hasActiveContent || fields.text > 0) && (isNamed || textChars <= MAX_WIDGET_CHARS)

/** Whether a page is the bot check of a known service, by its headers, markup and title. */
function isOfKnownService({ statusCode, headers, document }: PageObservation): boolean {
  const { textChars, text, html, hasOwnMetadata, headings } = document
  if (HEADERS.some(([name, value]) => value.test(headers[name] ?? ''))) return true
  if (textChars > MAX_CHALLENGE_CHARS) return false
  if (hasMarker(html, text)) return true
  if (textChars <= MAX_REFUSAL_CHARS && TEXT_MARKERS.some((marker) => html.includes(marker))) return true
  const isRefused = REFUSAL_STATUSES.has(statusCode)
  const title = normaliseTitle(document.title || (headings[0] ?? ''))
  if (CERTAIN_TITLES.test(title) || CERTAIN_TITLE_STARTS.test(title))
    return isRefused || (!hasOwnMetadata && INTERACTION.test(html))
  return isRefused && (LIKELY_TITLES.test(title) || LIKELY_TITLE_STARTS.test(title))
}

/** Markup that is visible as text is an explanation of bot checks. */
const hasMarker = (html: string, text: string) =>
  MARKERS.some((marker) => contains(html, marker) && !contains(text, marker))

const contains = (text: string, marker: string | RegExp) =>
  typeof marker === 'string' ? text.includes(marker) : marker.test(text)

const MAX_TITLE_CHARS = 200

const normaliseTitle = (title: string) => foldText(title.slice(0, MAX_TITLE_CHARS)).replace(/(?<![.…!?])[.…!?]+$/, '')
