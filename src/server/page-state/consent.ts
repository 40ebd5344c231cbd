import { ACCEPT_LABELS, CONSENT_FRAMES, CONSENT_TITLES, CONSENT_WORDS } from './consent-phrases.js'
import { includesAny, foldText, trimPunctuation } from './fold-text.js'
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
  const text = foldText(cover)
  if (text.startsWith('frame:')) return includesAny(text, CONSENT_FRAMES)
  return isAboutConsent(text) && hasAcceptButton(labels, text)
}

function replacesPage(
  { title, headings, text, textChars, labels, isRendered }: ObservedDocument,
  { isOtherAddress }: { isOtherAddress: boolean },
): boolean {
  const words = foldText(text)
  if (textChars > MAX_WALL_CHARS || !isAboutConsent(words) || !hasAcceptButton(labels, words)) return false
  // Without a browser, a heading may be that of a banner.
  return isOtherAddress || [title, ...(isRendered ? headings : [])].some(isConsentTitle)
}

/** Whether it mentions cookies, or several matters of consent: a footer may link to a statement on privacy. */
const isAboutConsent = (text: string) =>
  text.includes('cookie') || CONSENT_WORDS.filter((word) => text.includes(word)).length > 1

/** Whether a button that accepts is part of the text. */
const hasAcceptButton = (labels: readonly string[], text: string) =>
  labels.some((label) => {
    const words = foldText(label)
    return ACCEPT_LABELS.some((accept) => words.startsWith(accept)) && text.includes(words)
  })

function isConsentTitle(text: string): boolean {
  const words = trimPunctuation(foldText(text))
  return CONSENT_TITLES.some((title) => words === title || words.startsWith(`${title} `))
}

function isConsentUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, pathname } = new URL(url)
  return CONSENT_HOST.test(hostname) || CONSENT_PATH.test(pathname)
}
