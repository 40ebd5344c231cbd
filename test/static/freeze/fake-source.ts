import { PageError, type PageData } from '../../../src/query/index.js'
import type { PreviewSource, SourceImage } from '../../../src/static/preview-source.js'

interface FakePage {
  data?: PageData
  statusCode?: number
  error?: PageError
  /** Awaited before the response. */
  until?: Promise<unknown>
}

/** A source without a browser: every page has a screenshot, unless `pages` says otherwise. */
export function fakeSource(pages: Record<string, FakePage> = {}) {
  const captured: string[] = []
  const images: string[] = []
  let version = 1
  const source: PreviewSource = {
    async page(query, signal) {
      const url = String(query.url)
      captured.push(url)
      const { data, statusCode = 200, error, until } = pages[url] ?? {}
      if (until) await Promise.race([until, aborted(signal)])
      signal.throwIfAborted()
      if (error) throw error
      return {
        data: data ?? { title: `Title of ${url}`, description: 'About it', screenshot: screenshotOf(url) },
        statusCode,
        redirects: [],
        producedAt: Date.parse('2026-01-31T12:00:00Z') + version * 1_000,
        cacheStatus: 'MISS',
        warnings: data?.state ? ['It asks whether its visitor is human.'] : [],
      }
    },
    async image(query, field, { width = 1280, type = 'jpg' }): Promise<SourceImage> {
      images.push(`${String(query.url)} ${field} ${width} ${type}`)
      const bytes = Buffer.from(`${String(query.url)} ${field} ${width} ${type} ${version}`)
      return { bytes, type, width, height: width / 1.6 }
    },
    variants: (query, field, variants, signal) =>
      Promise.all(variants.map((variant) => source.image(query, field, variant, signal))),
    compareImages: () => Promise.reject(new Error('unexpected')),
    close: async () => {},
  }
  return { source, captured, images, pages, renew: () => void version++ }
}

const screenshotOf = (url: string) => ({
  url: `http://page-preview.invalid/images/${encodeURIComponent(url)}.jpg`,
  width: 2560,
  height: 1600,
  type: 'jpg' as const,
  size: 50_000,
  size_pretty: '50 kB',
  background_color: '#0a0a0a',
})

export const unreachable = () => new PageError('EUNREACHABLE', 'Nobody is there.')

const aborted = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
