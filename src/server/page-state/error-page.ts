import { canParseUrl } from '../../query/written-url.js'
import { isShell } from './blank.js'
import { CODE_WORDS, ERROR_HEADINGS, ERROR_SENTENCES, HOST_MESSAGES, PARKING_MARKERS } from './error-page-phrases.js'
import { includesAny, foldText, trimPunctuation } from './fold-text.js'
import type { ObservedDocument, PageObservation } from './page-observation.js'

/** A page of a site's own style, with its navigation. */
const MAX_ERROR_CHARS = 4_000
/** A page with a message alone. */
const MAX_MESSAGE_CHARS = 300
/** An illustration next to a message. */
const MAX_MEDIA_SHARE = 0.15
const MAX_TITLE_CHARS = 200
const ERROR_PATH =
  /\/(404|40[134]|5\d\d|not[-_]?found|page[-_]?not[-_]?found|error([-_]?\d+)?|errors?)(\.\w{1,5})?\/?$/i
/** Markup of dated works: articles, questions, topics of a forum. */
const WORK_MARKERS = ['article:published_time', '"datePublished"', 'itemprop="datePublished"']
/** What follows the subject of an article in its title is a sentence. */
const MIN_SENTENCE_WORDS = 6

/** Whether a page shows the message of an error, of maintenance, or of a host without a site instead of its content. */
export function isErrorPage({ url, requestedUrl, statusCode, document }: PageObservation): boolean {
  const { textChars, title, headings, html, isRendered, hasActiveContent } = document
  if (url.startsWith('chrome-error:')) return true
  // Without a browser, other headings may be those of messages that scripts show when they fail.
  const named = [title, ...(isRendered ? headings : headings.slice(0, 1))].filter(isErrorHeading).length
  if (statusCode >= 400) return named > 0 || (isMessage(document) && !mayBeContent(document))
  if (textChars > MAX_ERROR_CHARS || WORK_MARKERS.some((marker) => html.includes(marker))) return false
  const text = foldText(document.text)
  if (PARKING_MARKERS.some((marker) => html.includes(marker) && !text.includes(marker))) return true
  // A request for the URL of an error page expects an error page.
  if (hasErrorPath(requestedUrl)) return false
  if (hasErrorPath(url)) return named > 0 || (isMessage(document) && !isShell(document))
  // Scripts may replace its few words, but not the name of the page.
  if (!isRendered && hasActiveContent && !named) return false
  if (isMessage(document) && isMessageOfError(document, { text, named })) return true
  return named > 0 && includesAny(text, ERROR_SENTENCES)
}

/** Without a browser, a title that the site chose itself may be that of content which scripts add. */
const mayBeContent = (document: ObservedDocument) =>
  !document.isRendered && (isShell(document) || (document.title !== '' && !isErrorPhrase(foldText(document.text))))

/** Whether it has little more than a sentence. */
const isMessage = ({ textChars, media, fields }: ObservedDocument) =>
  textChars <= MAX_MESSAGE_CHARS && media.share <= MAX_MEDIA_SHARE && fields.password + fields.text <= 1

/**
 * Whether its few words state an error. A reference of errors has other headings too, and a list of incidents begins with other
 * words.
 */
function isMessageOfError({ headings }: ObservedDocument, { text, named }: { text: string; named: number }): boolean {
  const sections = headings.filter((heading) => !isErrorHeading(heading)).length
  const [whole = '', first = ''] = partsOf(text)
  return (
    (named > 1 && sections < named) ||
    isErrorPhrase(whole) ||
    isErrorPhrase(first) ||
    includesAny(withoutDomains(text), HOST_MESSAGES)
  )
}

/** Whether one part of a title or heading, apart from the name of the site, is a phrase of error pages. */
const isErrorHeading = (text: string) =>
  partsOf(withoutSubject(foldText(text.slice(0, MAX_TITLE_CHARS)))).some(isErrorPhrase)

/**
 * Removes the subject of an article, as in `page not found: how the best sites say it`. A message may go on after a colon, too,
 * but has a status code before it, or addresses its visitor.
 */
function withoutSubject(text: string): string {
  const end = text.indexOf(': ')
  const [subject, rest] = [text.slice(0, Math.max(end, 0)), text.slice(end + 2)]
  const isSubject = subject.includes(' ') && !/\d/.test(subject) && rest.split(' ').length >= MIN_SENTENCE_WORDS
  return isSubject && !includesAny(rest, ERROR_SENTENCES) ? rest : text
}

/** A folded text, then what it consists of. */
const partsOf = (text: string) => [text, ...text.split(/ [|–—·•»›:/-] |: /)]

function isErrorPhrase(part: string): boolean {
  const words = trimPunctuation(part).replace(INTERJECTION, '')
  if (ERROR_HEADINGS.has(words) || ERROR_HEADINGS.has(withoutDomains(words))) return true
  const message = withoutCode(words)
  return message !== words && (message === '' || ERROR_HEADINGS.has(message))
}

/** What an apology begins with, in any language. */
const INTERJECTION =
  /^(?:o+ps|whoops|uh[- ]oh|sorry|hoppla|u+ps|oups|désolé|vaya|lo sentimos|oeps|hoppsan|ojdå|ой|упс)\s*[!,.:…]*\s+/

/** Removes host names, as in `harbour.test is for sale`. */
const withoutDomains = (text: string) =>
  trimPunctuation(
    text
      .split(' ')
      .filter((word) => !DOMAIN.test(trimPunctuation(word)))
      .join(' '),
  )

const DOMAIN = /^(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}$/

/** Removes the status code of an error and the words around it, as in `error 404 (not found)`. */
function withoutCode(text: string): string {
  const words = text.split(' ')
  if (!words.some(isErrorCode)) return text
  const isFiller = (word: string) => isErrorCode(word) || CODE_WORDS.has(trimPunctuation(word))
  return trimPunctuation(words.filter((word) => !isFiller(word)).join(' '))
}

const isErrorCode = (word: string) => /^[45]\d\d$/.test(trimPunctuation(word))

const hasErrorPath = (url: string) => canParseUrl(url) && ERROR_PATH.test(new URL(url).pathname)
