import { PageError, type PageData } from '../../../src/query/index.js'
import type { PreviewSource, SourceImage, VariantType } from '../../../src/static/preview-source.js'

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
  const imageOf = (
    name: string,
    { width = 1280, type = 'jpg' }: { width?: number | undefined; type?: VariantType | undefined },
  ): SourceImage => {
    images.push(`${name} ${width} ${type}`)
    return { bytes: Buffer.from(`${name} ${width} ${type} ${version}`), type, width, height: width / 1.6 }
  }
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
    image: async (query, field, variant) => imageOf(`${String(query.url)} ${field}`, variant),
    variants: async (query, field, variants) =>
      variants.map((variant) => imageOf(`${String(query.url)} ${field}`, variant)),
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
