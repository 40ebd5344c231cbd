import type { PageChange, PageHistory, PageVersion } from '../query/index.js'

/** The values of the response headers; `undefined` for a missing one. */
export interface ResponseInfo {
  cache: string | undefined
  ageMs: number | undefined
  ttlMs: number | undefined
  rateLimit: RateLimit | undefined
  fetchMode: string | undefined
  plan: string | undefined
  retryAfterMs: number | undefined
  /** One after another, since `server-timing` does not contain start times. */
  steps: TimingStep[]
  /** Less than the sum of the steps when some ran concurrently. */
  totalMs: number
}

export interface RateLimit {
  limit: number
  remaining: number
  /** Milliseconds since 1970. */
  resetAt: number
}

/** One step of producing the result. */
interface TimingStep {
  name: string
  startMs: number
  durationMs: number
}

/** @param receivedAt  Milliseconds since 1970. */
export function readHeaders(headers: Headers, receivedAt: number): ResponseInfo {
  const createdAt = readNumber(headers, 'x-timestamp')
  const timings = readTimings(headers.get('server-timing') ?? '')
  const steps = toSteps(timings.filter(({ name }) => name !== TOTAL))
  return {
    cache: headers.get('x-cache-status') ?? undefined,
    ageMs: createdAt === undefined ? readSeconds(headers, 'age') : Math.max(0, receivedAt - createdAt),
    ttlMs: readNumber(headers, 'x-cache-ttl'),
    rateLimit: readRateLimit(headers),
    fetchMode: headers.get('x-fetch-mode') ?? undefined,
    plan: headers.get('x-pricing-plan') ?? undefined,
    retryAfterMs: readSeconds(headers, 'retry-after'),
    steps,
    totalMs: timings.find(({ name }) => name === TOTAL)?.durationMs ?? endOf(steps),
  }
}

const TOTAL = 'total'

function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = readNumber(headers, 'x-rate-limit-limit')
  const remaining = readNumber(headers, 'x-rate-limit-remaining')
  const resetAt = readSeconds(headers, 'x-rate-limit-reset')
  return limit !== undefined && remaining !== undefined && resetAt ? { limit, remaining, resetAt } : undefined
}

function readTimings(text: string): Omit<TimingStep, 'startMs'>[] {
  return text.split(',').flatMap((entry) => {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim())
    const duration = parameters.map((parameter) => /^dur="?([\d.]+)/.exec(parameter)?.[1]).find(Boolean)
    return name && duration ? [{ name, durationMs: Number(duration) }] : []
  })
}

function toSteps(timings: readonly Omit<TimingStep, 'startMs'>[]): TimingStep[] {
  const steps: TimingStep[] = []
  for (const { name, durationMs } of timings) steps.push({ name, startMs: endOf(steps), durationMs })
  return steps
}

function endOf(steps: readonly TimingStep[]): number {
  const last = steps.at(-1)
  return last ? last.startMs + last.durationMs : 0
}

function readNumber(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text && Number.isFinite(Number(text)) ? Number(text) : undefined
}

/** A header in seconds, as milliseconds. */
function readSeconds(headers: Headers, name: string): number | undefined {
  const seconds = readNumber(headers, name)
  return seconds === undefined ? undefined : seconds * 1_000
}

/** The displayed parts of a response body, which may be any text. */
export interface ResponseBody {
  /** Indented JSON, or else the unchanged text. */
  text: string
  code: string | undefined
  /** What the page showed instead of its content. */
  state: string | undefined
  message: string | undefined
  /** URL of the documentation of `code`. */
  more: string | undefined
  /** The parameters that caused an error. */
  reasons: [parameter: string, reason: string][]
  redirects: { statusCode: number; url: string }[]
  warnings: string[]
  /** `undefined` without the parameter `candidates`. */
  choices: Choices | undefined
  /** `undefined` without the parameter `history`; `null` if no screenshot could be compared. */
  history: PageHistory | null | undefined
  /** What an explanation says, in sections; empty without the parameter `explain`. */
  explanation: ExplainedSection[]
  /** Size of the screenshot, or else of the image, in pixels. */
  imageSize: { width: number; height: number } | undefined
}

/** The candidates of a page. */
export type Choices = Record<'title' | 'description' | 'image', Choice[]>

/** One of them, as it is displayed. */
export interface Choice {
  id: string
  value: string
  source: string
  isSelected: boolean
  /** Why it cannot be used. */
  problem: string | undefined
  notes: string[]
  /** `600 × 400`. */
  size: string | undefined
}

/** A part of an explanation: pairs of a name and a text. */
export interface ExplainedSection {
  title: string
  rows: [name: string, text: string][]
}

export function readBody(text: string): ResponseBody {
  const json = parseJson(text)
  const { code, message, more, redirects, warnings, candidates, explanation } = asObject(json)
  const data = asObject(asObject(json).data)
  const { width, height } = asObject(data.screenshot ?? data.image)
  return {
    text: json === undefined ? text : JSON.stringify(json, null, 2),
    code: asText(code),
    state: code ? undefined : asText(data.state),
    message: asText(message),
    more: asText(more),
    reasons: code ? Object.entries(data).map(([parameter, reason]) => [parameter, String(reason)]) : [],
    redirects: asList(redirects).map((hop) => {
      const { statusCode, url } = asObject(hop)
      return { statusCode: Number(statusCode), url: String(url) }
    }),
    warnings: asList(warnings).map(String),
    choices: candidates === undefined ? undefined : readChoices(asObject(candidates)),
    history: data.history === undefined || code ? undefined : readHistory(data.history),
    explanation: explanation === undefined ? [] : readExplanation(asObject(explanation)),
    imageSize: typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined,
  }
}

const readChoices = ({ title, description, image }: Fields): Choices => ({
  title: asList(title).map(readChoice),
  description: asList(description).map(readChoice),
  image: asList(image).map(readChoice),
})

function readChoice(value: unknown): Choice {
  const { id, value: text, source, isSelected, problem, reasons, width, height } = asObject(value)
  return {
    id: String(id),
    value: String(text),
    source: String(source),
    isSelected: isSelected === true,
    problem: asText(problem),
    notes: asList(reasons).map(String),
    size: typeof width === 'number' && typeof height === 'number' ? `${width} × ${height}` : undefined,
  }
}

function readHistory(value: unknown): PageHistory | null {
  const { versions, ignored } = asObject(value)
  if (!Array.isArray(versions)) return null
  return { versions: versions.map((each) => readVersion(asObject(each))), ignored: asList(ignored).map(String) }
}

function readVersion({ since, until, title, screenshot, area, changes }: Fields): PageVersion {
  const { url, width, height } = asObject(screenshot)
  return {
    since: String(since),
    until: String(until),
    title: asText(title) ?? null,
    screenshot: { url: String(url), width: asNumber(width), height: asNumber(height) },
    area: readBox(asObject(area)),
    changes: asList(changes).map((each) => readChange(asObject(each))),
  }
}

const readChange = ({ kind, element, text, textBefore, ...box }: Fields): PageChange => ({
  kind: kind === 'added' || kind === 'removed' ? kind : 'changed',
  element: String(element),
  text: asText(text) ?? null,
  textBefore: asText(textBefore) ?? null,
  ...readBox(box),
})

const readBox = ({ x, y, width, height }: Fields) => ({
  x: asNumber(x),
  y: asNumber(y),
  width: asNumber(width),
  height: asNumber(height),
})

function readExplanation({
  requests,
  documents,
  choice,
  fields,
  layers,
  pending,
  blocked,
}: Fields): ExplainedSection[] {
  const { count, urls } = asObject(blocked)
  const sections: ExplainedSection[] = [
    { title: 'Requests', rows: asList(requests).map((each) => requestRow(asObject(each))) },
    { title: 'Documents', rows: asList(documents).map((each) => documentRow(asObject(each))) },
    { title: 'Metadata', rows: typeof choice === 'string' ? [['from', choice]] : [] },
    ...Object.entries(asObject(fields)).map(([field, list]) => ({
      title: field,
      rows: asList(list).map(candidateRow),
    })),
    { title: 'In front of the page', rows: asList(layers).map((each) => layerRow(asObject(each))) },
    { title: 'Still loading when the page was captured', rows: asList(pending).map((url) => ['', String(url)]) },
    { title: `Blocked: ${Number(count)}`, rows: asList(urls).map((url) => ['', String(url)]) },
  ]
  return sections.filter(({ rows }) => rows.length > 0)
}

function requestRow({ statusCode, url, durationMs, size, cause, hasEndedEarly }: Fields): [string, string] {
  const bytes = typeof size === 'number' ? `${size.toLocaleString('en')} bytes` : undefined
  return [String(statusCode), joined(url, cause, `${String(durationMs)} ms`, bytes, hasEndedEarly && 'ended early')]
}

function documentRow({ by, url, userAgent, statusCode, title, textChars, state, reason }: Fields): [string, string] {
  const status = typeof statusCode === 'number' ? `status ${statusCode}` : 'no response'
  return [String(by), joined(url, status, title, `${String(textChars)} characters of text`, state, reason, userAgent)]
}

function candidateRow(value: unknown): [string, string] {
  const { value: text, source, isSelected, problem, notes, size } = readChoice(value)
  const isUnused = problem !== undefined || asObject(value).score === null
  return [isSelected ? 'used' : isUnused ? 'unusable' : 'other', joined(text, source, size, ...notes, problem)]
}

const layerRow = ({ element, text, isHidden, reason }: Fields): [string, string] => [
  isHidden ? 'hidden' : 'shown',
  joined(element, reason, text),
]

const joined = (...parts: unknown[]) => parts.filter(Boolean).map(String).join(' · ')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // An embedded text field or HTML card is displayed unchanged.
    return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

const asObject = (value: unknown) =>
  (typeof value === 'object' && value && !Array.isArray(value) ? value : {}) as Fields
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const asNumber = (value: unknown) => (typeof value === 'number' ? value : 0)
const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)
