import { quote } from '../quote.js'
import { MAX_TRACE_ENTROPY } from './blank.js'
import type { PageObservation } from './page-observation.js'

const MAX_TEXT_CHARS = 60

/** The facts by which a page was judged, as a sentence; most rules use several of them at once. */
export function explainObservation({ requestedUrl, url, statusCode, document, pixels }: PageObservation): string {
  const { title, headings, text, textChars, fields, media, cover, isLoading } = document
  const [heading] = headings
  const start = (words: string) => quote(words.slice(0, MAX_TEXT_CHARS))
  const facts = [
    `status ${statusCode}`,
    url !== requestedUrl && `the address ${start(url)}`,
    title.trim() ? `the title ${start(title)}` : 'no title',
    heading !== undefined && `the heading ${start(heading)}`,
    textChars === 0 ? 'no visible text' : `${textChars} characters of text, which begin with ${start(text)}`,
    ...countsOf({ 'password field': fields.password, 'text field': fields.text, captcha: fields.captcha }),
    media.count > 0 &&
      `${media.count} images or frames on ${Math.round(100 * Math.min(1, media.share))} % of the screen`,
    cover !== null && `something in front of it${cover && ` that says ${start(cover)}`}`,
    isLoading && 'a sign that it is loading',
    pixels && pixels.entropy < MAX_TRACE_ENTROPY && `hardly more than one colour, ${pixels.dominant}`,
  ]
  return `It has ${facts.filter(Boolean).join(', ')}.`
}

const countsOf = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}${count > 1 ? 's' : ''}`] : []))
