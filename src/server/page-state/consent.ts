import { canParseUrl } from '../../query/written-url.js'
import {
  ACCEPT_LABELS,
  CONSENT_FRAMES,
  CONSENT_TITLES,
  CONSENT_WORDS,
  COOKIE_WORDS,
  NOTICE_PHRASES,
} from './consent-phrases.js'
import { foldText, includesAny, isLabelOf, trimPunctuation } from './fold-text.js'
import type { ObservedDocument, PageObservation } from './page-observation.js'

/** Longest text of a wall, including its list of purposes and partners. */
const MAX_WALL_CHARS = 4_000
const CONSENT_HOST = /^(consent|guce|cookiewall|cmp|privacy|myprivacy)\./
const CONSENT_PATH = /\/(consent|cookie-?wall|cookie-?consent|privacy-?(gate|wall)|collectconsent)(\/|$)/i

/** Whether a consent wall covers or replaces the page. With `adblock=false` it is part of the screenshot. */
export function isConsent({ url, requestedUrl, hidesBanners, document }: PageObservation): boolean {
  if (!hidesBanners) return false
  return coversPage(document) || replacesPage(document, { isOtherAddress: redirectsToConsentWall(requestedUrl, url) })
}

/** Whether a page redirects to the address of a consent wall. */
export const redirectsToConsentWall = (requestedUrl: string, url: string): boolean =>
  isConsentUrl(url) && !isConsentUrl(requestedUrl)

function coversPage({ cover, labels }: ObservedDocument): boolean {
  if (cover === null || cover.length > MAX_WALL_CHARS) return false
  if (cover.startsWith('frame:')) return isConsentFrame(cover)
  return asksForConsent(cover, labels)
}

function replacesPage(
  { title, headings, text, textChars, labels, isRendered }: ObservedDocument,
  { isOtherAddress }: { isOtherAddress: boolean },
): boolean {
  if (textChars > MAX_WALL_CHARS || !asksForConsent(text, labels)) return false
  // Without a browser, a heading may be that of a banner.
  return isOtherAddress || [title, ...(isRendered ? headings : [])].some(isConsentTitle)
}

/** Whether the names, titles or addresses of frames are those of a consent wall. */
export const isConsentFrame = (names: string): boolean => includesAny(foldText(names), CONSENT_FRAMES)

/** Whether a folded text mentions cookies, or several matters of consent: a footer may link to a statement on privacy. */
const isAboutConsent = (text: string) => includesAny(text, COOKIE_WORDS) || hasConsentWords(text)

/** Whether a folded text mentions several matters of consent; a bakery mentions only cookies. */
export const hasConsentWords = (text: string): boolean => CONSENT_WORDS.filter((word) => text.includes(word)).length > 1

/** Whether a button that accepts is part of the folded text. */
const hasAcceptButton = (labels: readonly string[], text: string) =>
  labels.some((label) => isLabelOf(label, ACCEPT_LABELS) && text.includes(foldText(label)))

/** Whether a text asks for consent, and has a button to give it. */
export function asksForConsent(text: string, labels: readonly string[]): boolean {
  const words = foldText(text)
  return text.length <= MAX_WALL_CHARS && isAboutConsent(words) && hasAcceptButton(labels, words)
}

/** Whether a text informs of cookies, without a need to ask. */
export const informsOfCookies = (text: string): boolean => includesAny(foldText(text), NOTICE_PHRASES)

function isConsentTitle(text: string): boolean {
  const words = trimPunctuation(foldText(text))
  return CONSENT_TITLES.some((title) => words === title || words.startsWith(`${title} `))
}

function isConsentUrl(url: string): boolean {
  if (!canParseUrl(url)) return false
  const { hostname, pathname } = new URL(url)
  return CONSENT_HOST.test(hostname) || CONSENT_PATH.test(pathname)
}
