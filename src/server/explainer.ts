// What an explanation of a result consists of, and the limits of its parts: a cache entry holds it, and a page decides how much it states.
import { hash } from 'node:crypto'
import type { Candidate, ExplainedDocument, ExplainedLayer, ExplainedRequest, Explanation } from '../query/index.js'

/** Of a text in an explanation; clipped texts end with an ellipsis. */
export const MAX_EXPLAINED_CHARS = 300
/** Of one field in an explanation. */
export const MAX_EXPLAINED_VALUES = 20
export const MAX_REASONS = 8
export const MAX_REQUESTS = 16
export const MAX_LAYERS = 24
/** Of the URLs that are blocked, or still load. */
export const MAX_LISTED_URLS = 10
const MAX_BLOCKED_URLS = 500

/** Collects how one result comes about. It exists only with `explain`. */
export interface Explainer {
  /** A response, in the order in which they arrive. */
  addRequest(request: Omit<ExplainedRequest, 'size' | 'cause' | 'hasEndedEarly'>): void
  /** Bytes of the body of the last response. */
  setBodySize(bytes: number, hasEndedEarly?: boolean): void
  /** Replaces what the same reader got before: a visit may take two attempts. */
  setDocument(document: ExplainedDocument): void
  /** Those found in a document now. What was hidden in the same document before stays in the list. */
  setLayers(layers: readonly ExplainedLayer[], loaderId: string): void
  /** What the document loads that is captured now. */
  setPending(urls: readonly string[]): void
  /** A request of the page that was blocked as an ad, a tracker or a consent banner. */
  addBlockedUrl(url: string): void
  explain(result: Pick<Explanation, 'choice' | 'fields'>): Omit<Explanation, 'timings'>
}

export function createExplainer(): Explainer {
  const requests: ExplainedRequest[] = []
  const documents = new Map<string, ExplainedDocument>()
  let layers: ExplainedLayer[] = []
  let layersLoaderId: string | undefined
  let pending: string[] = []
  const blockedUrls = new Set<string>()
  return {
    addRequest({ url: fullUrl, ...request }) {
      const url = clipText(fullUrl)
      const last = requests.at(-1)
      const cause = last && { cause: causeOf(last, url) }
      if (requests.length < MAX_REQUESTS) requests.push({ url, ...request, size: null, ...cause })
    },
    setBodySize(bytes, hasEndedEarly = false) {
      const last = requests.at(-1)
      if (last) Object.assign(last, { size: bytes, ...(hasEndedEarly && { hasEndedEarly }) })
    },
    setDocument({ userAgent, url, title, reason, ...document }) {
      documents.set(document.by, {
        ...document,
        userAgent: clipText(userAgent),
        url: clipText(url),
        title: title === null ? null : clipText(title),
        ...(reason !== undefined && { reason: clipText(reason) }),
      })
    },
    setLayers(all, loaderId) {
      const found = all.slice(0, MAX_LAYERS).map((layer) => ({
        ...layer,
        element: clipText(layer.element),
        text: clipText(layer.text),
      }))
      const isListed = ({ element }: ExplainedLayer) => found.some((layer) => layer.element === element)
      const hidden = loaderId === layersLoaderId ? layers.filter((layer) => layer.isHidden && !isListed(layer)) : []
      layers = [...hidden, ...found].slice(0, MAX_LAYERS)
      layersLoaderId = loaderId
    },
    setPending(urls) {
      pending = urls.slice(0, MAX_LISTED_URLS).map(clipText)
    },
    addBlockedUrl(url) {
      if (blockedUrls.size < MAX_BLOCKED_URLS) blockedUrls.add(url)
    },
    explain: ({ choice, fields }) => ({
      requests,
      documents: [...documents.values()],
      choice: clipText(choice),
      fields: Object.fromEntries(Object.entries(fields).map(([field, list]) => [field, list.map(clipCandidate)])),
      layers,
      pending,
      blocked: { count: blockedUrls.size, urls: [...blockedUrls].slice(0, MAX_LISTED_URLS).map(clipText) },
    }),
  }
}

function causeOf(last: ExplainedRequest, url: string): ExplainedRequest['cause'] {
  if (last.statusCode >= 300 && last.statusCode < 400) return 'redirect'
  return last.url === url ? 'repetition' : 'refresh'
}

/** The start of a text, without line breaks and other control characters. */
function clipText(text: string): string {
  const start = text
    .slice(0, 2 * MAX_EXPLAINED_CHARS)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return start.length > MAX_EXPLAINED_CHARS ? `${start.slice(0, MAX_EXPLAINED_CHARS - 1)}…` : start
}

function clipCandidate({ value, source, problem, reasons, ...candidate }: Candidate): Candidate {
  return {
    ...candidate,
    value: clipText(value),
    source: clipText(source),
    reasons: reasons.slice(0, MAX_REASONS),
    ...(problem !== undefined && { problem: clipText(problem) }),
  }
}

const ID_CHARS = 8

/** Names a candidate by its value, so that it has the same id whenever the page is read. */
export const candidateId = (value: string): string => hash('sha256', value, 'hex').slice(0, ID_CHARS)
