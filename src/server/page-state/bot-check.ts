import { CERTAIN_BOT_CHECK_PHRASES, LIKELY_BOT_CHECK_PHRASES, WAITING_TITLES } from './bot-check-phrases.js'
import { isBotCheckDocument, REFUSAL_STATUSES } from './is-bot-check-document.js'
import { includesAny, foldText, trimPunctuation } from './fold-text.js'
import type { ObservedDocument, PageObservation } from './page-observation.js'

/** A check with its instructions; articles about checks are longer. */
const MAX_INSTRUCTION_CHARS = 900
/** A widget or a refusal that names no service. */
const MAX_WIDGET_CHARS = 500
/** A check may ask for the characters of an image. */
const MAX_TEXT_FIELDS = 1
/** A page with larger images shows content. */
const MAX_MEDIA_SHARE = 0.5

/** Whether a page shows a bot check (challenge, captcha, waiting room) instead of its content. */
export function isBotCheck({ statusCode, headers, document }: PageObservation): boolean {
  const [heading = ''] = document.headings
  if (isBotCheckDocument({ ...document, statusCode, headers, title: document.title || heading })) return true
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
