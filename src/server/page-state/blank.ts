import { SCRIPTS_NEEDED_PHRASES, WAITING_PHRASES, WAITING_STARTS_WITH } from './blank-phrases.js'
import { includesAny, foldText, trimPunctuation } from './fold-text.js'
import type { ObservedDocument, PageObservation } from './page-observation.js'

/** 0 if all pixels are alike; a short word on a large page has 0.005. */
const MAX_BLANK_ENTROPY = 0.000_5
/** The icon of a broken image, or a thin line. */
export const MAX_TRACE_ENTROPY = 0.05
/** Largest difference between the channels of a grey, 0..255. */
const MAX_GREY_RANGE = 24
const MAX_DARK = 64
/** Share of the viewport from which images and videos count as content, even in a single colour. */
const MIN_FRONT_SHARE = 0.05
const MAX_WAITING_CHARS = 60
const MAX_WAITING_WORDS = 4
const MAX_NOTICE_CHARS = 200

/** Whether nothing of a page has been painted, or only that it waits for its content. An empty page that needs nothing is content. */
export function isBlank({ document, pixels, isWhole }: PageObservation): boolean {
  if (!isWhole || !document.isRendered || !document.contentType.includes('html')) return false
  const { hasActiveContent, hasContent, media } = document
  const isEmptyOnPurpose = !hasActiveContent && !hasContent
  if (isEmptyOnPurpose || media.frontShare >= MIN_FRONT_SHARE) return false
  if (isWaiting(document) || isBehindLoader(document)) return true
  const hasNothingVisible = document.textChars === 0 && media.count === 0
  // Without a screenshot the result is metadata, which such a page may have.
  if (!pixels) return hasNothingVisible && !hasContent && !document.title && !document.hasOwnMetadata
  if (pixels.entropy < MAX_BLANK_ENTROPY) return hasContent || isNeutral(pixels.dominant)
  return (hasNothingVisible || isCovered(document)) && hasContent && pixels.entropy < MAX_TRACE_ENTROPY
}

/** Whether nothing is visible of a document that its scripts may fill, whatever its title is. */
export const isUnfilled = ({
  document: { isRendered, hasActiveContent, textChars, media },
}: PageObservation): boolean => isRendered && hasActiveContent && textChars === 0 && media.count === 0

/** Whether a colour is a usual background of a page that has yet to be painted: white, grey, or dark. */
function isNeutral(colour: string): boolean {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const [lightest, darkest] = [Math.max(...channels), Math.min(...channels)]
  return lightest - darkest <= MAX_GREY_RANGE || lightest <= MAX_DARK
}

/** Whether a page only shows that it is loading, or that it needs scripts. */
function isWaiting(document: ObservedDocument): boolean {
  const { textChars, media, isLoading, hasActiveContent, fields } = document
  if (!hasActiveContent || media.share >= MIN_FRONT_SHARE || fields.text + fields.password > 0) return false
  return textChars === 0 ? isLoading : saysNoMoreThanToWait(document)
}

/** Whether the document alone has nothing but what its scripts replace. */
export const isShell = (document: ObservedDocument): boolean =>
  !document.isRendered && document.hasActiveContent && (document.textChars === 0 || saysNoMoreThanToWait(document))

function saysNoMoreThanToWait({ textChars, text }: ObservedDocument): boolean {
  if (textChars <= MAX_WAITING_CHARS && (saysToWait(text) || saysWhatIsLoading(text))) return true
  return textChars <= MAX_NOTICE_CHARS && includesAny(foldText(text), SCRIPTS_NEEDED_PHRASES)
}

/** `Loading Harbour…`, unlike `Loading dock 7 is closed`. */
function saysWhatIsLoading(text: string): boolean {
  const words = foldText(text)
  if (words.split(' ').length > MAX_WAITING_WORDS) return false
  return WAITING_STARTS_WITH.some((start) => words.startsWith(start)) && !/[!?]|\d/.test(words)
}

/** Whether what covers the page says no more than that it is loading. */
const isBehindLoader = ({ cover, hasActiveContent }: ObservedDocument) =>
  hasActiveContent && cover !== null && cover.length <= MAX_WAITING_CHARS && saysToWait(cover)

/** Whether all text is covered by what has none, such as a spinner. */
const isCovered = ({ cover, textChars }: ObservedDocument) => cover === '' && textChars > 0

/** Whether a text consists only of phrases of waiting, and of how much has been loaded. */
export function saysToWait(text: string): boolean {
  const words = trimPunctuation(foldText(text))
  if (WAITING_PHRASES.has(words)) return true
  const phrases = words
    .split(/[,.!:]|\d{1,3} ?(?:%|$)/)
    .map(trimPunctuation)
    .filter(Boolean)
  return phrases.length > 0 && phrases.every((phrase) => WAITING_PHRASES.has(phrase))
}
