import { isPageError, type PageChange, type PageVersion } from '../../query/index.js'
import { isDate, isObject } from '../json.js'
import type { PreviewSource } from '../preview-source.js'

/** The newest version of a page. */
export type NewestVersion = Pick<PageVersion, 'since' | 'changes'>

/**
 * A source that requests each page with its newest version, and without it for the rest of the run if the service refuses that.
 *
 * @param onMissing  Called once, if the service refuses it or does not know it.
 */
export function withHistory(source: PreviewSource, onMissing: () => void): PreviewSource {
  let isOffered = true
  let hasReported = false
  const reportMissing = () => {
    if (!hasReported) onMissing()
    hasReported = true
  }
  const extended = (query: Parameters<PreviewSource['page']>[0]) => (isOffered ? { ...query, history: 1 } : query)
  return {
    ...source,
    async page(query, signal, variant) {
      const hasHistory = isOffered
      try {
        const page = await source.page(extended(query), signal, variant)
        // `null` concerns this page, which could not be compared.
        if (page.data.history === undefined) reportMissing()
        return page
      } catch (error) {
        signal.throwIfAborted()
        if (!hasHistory || !isPageError(error) || !REFUSALS.includes(error.code)) throw error
      }
      // Fails in the same way if it was not the history that the service refused.
      const page = await source.page(query, signal, variant)
      isOffered = false
      reportMissing()
      return page
    },
    // Of the same result as the page.
    image: (query, ...rest) => source.image(extended(query), ...rest),
  }
}

const REFUSALS: readonly string[] = ['EAUTH', 'EINVALQUERY']

const MAX_CHANGES = 50
const MAX_SELECTOR_CHARS = 200
const MAX_TEXT_CHARS = 200

/** The newest version in the history of a page; `undefined` without one. */
export function newestVersion(history: unknown): NewestVersion | undefined {
  const [version] = isObject(history) && Array.isArray(history.versions) ? (history.versions as unknown[]) : []
  if (!isObject(version) || !isDate(version.since) || !Array.isArray(version.changes)) return undefined
  const changes = (version.changes as unknown[]).slice(0, MAX_CHANGES).flatMap((change) => parseChange(change) ?? [])
  return { since: version.since, changes }
}

function parseChange(value: unknown): PageChange | undefined {
  if (!isObject(value) || typeof value.element !== 'string') return undefined
  const kind = KINDS.find((each) => each === value.kind)
  const { x, y, width, height } = value
  if (!kind || !isNumber(x) || !isNumber(y) || !isNumber(width) || !isNumber(height)) return undefined
  const element = value.element.slice(0, MAX_SELECTOR_CHARS)
  return { kind, element, text: textOf(value.text), textBefore: textOf(value.textBefore), x, y, width, height }
}

const KINDS = ['changed', 'added', 'removed'] as const

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT_CHARS) : null)
