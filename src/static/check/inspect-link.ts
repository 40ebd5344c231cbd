import { isPageError, type PageError, type PageState } from '../../query/index.js'
import type { GuardedRequests } from '../../server/static-tools.js'
import { nearestFile, type CardRequest, type LockEntry } from '../freeze/index.js'
import { isServiceFailure, type PreviewSource, type SourcePage } from '../preview-source.js'
import { newestVersion, type NewestVersion } from './page-versions.js'

/** A link of a site that has a preview. */
export interface SiteLink {
  url: string
  request: CardRequest
  /** What was frozen of it. */
  entry: LockEntry | undefined
  /** Relative to the site; at most 10. */
  pages: string[]
}

/** What inspecting a link needs. */
export interface Inspector {
  source: PreviewSource
  /** Follow redirects. */
  requests: Pick<GuardedRequests, 'follow'>
  /** Reads a frozen image by its name; `undefined` if it is missing. */
  readImage: (name: string) => Promise<Uint8Array | undefined>
  signal: AbortSignal
}

/** What one attempt found. */
export interface Inspection {
  result: AttemptResult
  changes: LinkChanges
  /** Only if the source requests pages with their history. */
  version?: NewestVersion | undefined
}

/** What of a page differs from the time when it was frozen. */
export interface LinkChanges {
  /** Where it redirects permanently. */
  newUrl?: string
  /** The titles, if they differ. */
  title?: { before: string; now: string }
  /** The share of pixels that differ from the frozen image, from 0 to 1. */
  imageDifference?: number
}

/**
 * Requests the page of a link once, and compares it with what was frozen.
 *
 * @throws  Errors that do not concern the link: an error of the service; the reason of `signal`.
 */
export async function inspectLink(link: SiteLink, inspector: Inspector): Promise<Inspection> {
  const page = await requestPage(link, inspector)
  if ('outcome' in page) return { result: page, changes: {} }
  const result = classifyPage(page)
  if (result.outcome !== 'works') return { result, changes: {} }
  const followed = page.redirects.length > 0 ? await inspector.requests.follow(link.url, inspector.signal) : undefined
  if (followed && leadsHome(link.url, followed.url)) {
    const reason = `It redirects to the home page, ${followed.url}.`
    return { result: { ...result, outcome: 'absent', reason }, changes: {} }
  }
  const newUrl = followed?.isPermanent && followed.url !== link.url ? followed.url : undefined
  const changes = { ...(newUrl && { newUrl }), ...(await compareWithFrozen(link, page, inspector)) }
  return { result, changes, version: newestVersion(page.data.history) }
}

/** What a page shows instead of its content is only known if a browser opens it. */
const queryOf = ({ request: { query } }: SiteLink) => ({ ...query, screenshot: query.screenshot ?? true })

async function requestPage(link: SiteLink, { source, signal }: Inspector): Promise<SourcePage | AttemptResult> {
  try {
    return await source.page({ ...queryOf(link), force: true }, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!isPageError(error) || isServiceFailure(error)) throw error
    return classifyError(error)
  }
}

/**
 * The outcome of one attempt. `absent`: the server responds that the page does not exist. `unreachable`: there was no meaningful
 * response, which may be temporary. `unclear`: visitors may still see the page.
 */
export interface AttemptResult {
  outcome: 'works' | 'absent' | 'unreachable' | 'unclear'
  reason?: string
  statusCode?: number
  code?: string
  state?: PageState
}

const ABSENT_STATUSES: readonly number[] = [404, 410]
/** Visitors may still see the page. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: 'It requires a login (HTTP 401).',
  403: 'Its server refuses to show it to a program (HTTP 403).',
  407: 'It requires a login (HTTP 407).',
  429: 'Its server allows no more requests for now (HTTP 429).',
  451: 'It is not shown here for legal reasons (HTTP 451).',
}
/** What `describeState` of the service says, in fewer words. Visitors may see the page behind all but the last. */
const SHOWN: Readonly<Record<PageState, string>> = {
  'bot-check': 'It shows a bot check.',
  blank: 'It shows nothing.',
  consent: 'It shows a consent wall.',
  login: 'It shows a login form or a paywall.',
  'error-page': 'It shows an error page.',
  'opted-out': 'It does not want a preview.',
}
/** `EINVALURL` of a valid URL: its host name does not resolve. Not `EBRWSRTIMEOUT`, with which a busy service fails. */
const UNREACHABLE: readonly string[] = ['EINVALURL', 'EUNREACHABLE', 'ETIMEOUT', 'EMAXREDIRECTS']

/** Classifies a page that responded. */
export function classifyPage({ statusCode, data: { state } }: Pick<SourcePage, 'statusCode' | 'data'>): AttemptResult {
  const found = { statusCode, ...(state && { state }) }
  if (state && state !== 'error-page') return { ...found, outcome: 'unclear', reason: SHOWN[state] }
  const failure = classifyStatus(statusCode)
  if (!state) return { ...found, ...(failure ?? { outcome: 'works' }) }
  const reason = `${SHOWN[state]} ${failure?.reason ?? `Its server responds with HTTP ${statusCode}.`}`
  return { ...found, outcome: failure?.outcome ?? 'absent', reason }
}

/** `undefined` for the status of a page that works. */
function classifyStatus(statusCode: number): Required<Pick<AttemptResult, 'outcome' | 'reason'>> | undefined {
  if (ABSENT_STATUSES.includes(statusCode))
    return { outcome: 'absent', reason: `Its server responds that it does not exist (HTTP ${statusCode}).` }
  const refusal = REFUSALS[statusCode]
  if (refusal) return { outcome: 'unclear', reason: refusal }
  if (statusCode >= 500) return { outcome: 'unreachable', reason: `Its server has an error (HTTP ${statusCode}).` }
  if (statusCode >= 400) return { outcome: 'absent', reason: `Its server refuses the request (HTTP ${statusCode}).` }
  return undefined
}

/** Classifies an attempt without a result. */
export const classifyError = ({
  code,
  message,
  data,
}: Pick<PageError, 'code' | 'message' | 'data'>): AttemptResult => ({
  outcome: UNREACHABLE.includes(code) ? 'unreachable' : 'unclear',
  code,
  reason: data.url ? `It cannot be read: ${data.url}.` : message,
})

const INDEX = /^\/(index\.\w{1,5}|home|start|main)?\/?$/i
const LOCALE = /^\/([a-z]{2})([-_][a-z]{2})?(?=\/|$)/i
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/**
 * Whether a link to a page now leads to the home page of its site, as sites do with pages that they removed. A link shortener
 * leads to other sites, and may lead home.
 */
export function leadsHome(from: string, to: string): boolean {
  const [source, target] = [new URL(from), new URL(to)]
  return isSameSite(siteOf(source), siteOf(target)) && isHome(target) && !isHome(source)
}

const isHome = ({ pathname, search }: URL) => INDEX.test(withoutLocale(pathname) || '/') && search === ''

/** Other paths of two letters are sections, such as `/tv`. */
const withoutLocale = (pathname: string) =>
  pathname.replace(LOCALE, (locale, language: string) => (languages.of(language) ? '' : locale))

const siteOf = ({ hostname }: URL) => hostname.replace(/^www\./, '')

const isSameSite = (one: string, other: string) =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)

/** Pages have advertisements, dates and carousels; a smaller share is not significant. */
const MIN_DIFFERENCE = 0.25
const COMPARED_WIDTH = 640
const DECODABLE: readonly string[] = ['jpg', 'png', 'webp', 'avif']
const MAX_TITLE_CHARS = 300
const MAX_COMPARED_CHARS = 2_000

/** Compares title and image. */
async function compareWithFrozen(
  link: SiteLink,
  page: SourcePage,
  inspector: Inspector,
): Promise<Omit<LinkChanges, 'newUrl'>> {
  const title = compareTitles(link.entry?.preview?.data.title, page.data.title)
  const imageDifference = await compareImages(link, page, inspector)
  return {
    ...(title && { title }),
    ...(imageDifference !== undefined && imageDifference >= MIN_DIFFERENCE && { imageDifference }),
  }
}

function compareTitles(before: string | null | undefined, now: string | null | undefined): LinkChanges['title'] {
  if (!before || !now || folded(before) === folded(now)) return undefined
  return { before: before.slice(0, MAX_TITLE_CHARS), now: now.slice(0, MAX_TITLE_CHARS) }
}

const folded = (title: string) =>
  title.slice(0, MAX_COMPARED_CHARS).normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

async function compareImages(
  link: SiteLink,
  page: SourcePage,
  { source, readImage, signal }: Inspector,
): Promise<number | undefined> {
  const { request, entry } = link
  const frozen = entry?.preview?.image
  const field = frozen?.isScreenshot ? 'screenshot' : (request.embed ?? 'image')
  if (!frozen || !page.data[field]) return undefined
  const name = nearestFile(
    frozen.files.filter(({ type }) => DECODABLE.includes(type)),
    COMPARED_WIDTH,
  )?.name
  const before = name && (await readImage(name))
  if (!before) return undefined
  try {
    const now = await source.image(queryOf(link), field, { width: COMPARED_WIDTH }, signal)
    return await source.compareImages(before, now.bytes, signal)
  } catch {
    // An image that cannot be fetched or decoded does not mean that the link has changed.
    signal.throwIfAborted()
    return undefined
  }
}
