import type { PageData } from '../../../src/query/index.js'
import type { PreviewSource, SourceImage, SourcePage } from '../../../src/static/preview-source.js'

export const picture = (overrides: Partial<SourceImage> = {}): SourceImage => ({
  bytes: Buffer.from('picture'),
  type: 'jpg',
  width: 1_280,
  height: 800,
  ...overrides,
})

export const pageWith = (data: PageData, overrides: Partial<SourcePage> = {}): SourcePage => ({
  data,
  statusCode: 200,
  redirects: [],
  producedAt: 0,
  cacheStatus: 'MISS',
  warnings: [],
  ...overrides,
})

/** A source that only does what a test tells it to. */
export function fakeSource(methods: Partial<PreviewSource>): PreviewSource {
  const unexpected = () => {
    throw new Error('This is not expected of the source.')
  }
  return {
    page: unexpected,
    image: unexpected,
    variants: unexpected,
    compareImages: unexpected,
    close: async () => {},
    ...methods,
  }
}
