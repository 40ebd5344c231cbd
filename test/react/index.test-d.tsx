import { QueryClient, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { describe, expectTypeOf, it } from 'vitest'
import type { ErrorCode, PageData, PageError } from '../../src/query/index.js'
import {
  pagePreviewQueryOptions,
  usePagePreview,
  useSuspensePagePreview,
  type PreviewResult,
} from '../../src/react/index.js'

const url = 'https://example.com/'

describe('usePagePreview', () => {
  it('narrows to a page or an error by its status', () => {
    const [, preview] = usePagePreview({ url, screenshot: true })
    expectTypeOf(preview.page).toEqualTypeOf<PageData | undefined>()
    expectTypeOf(preview.error).toEqualTypeOf<PageError | undefined>()
    switch (preview.status) {
      case 'loading':
        expectTypeOf(preview.page).toEqualTypeOf<undefined>()
        expectTypeOf(preview.error).toEqualTypeOf<undefined>()
        break
      case 'failed':
        expectTypeOf(preview.error).toEqualTypeOf<PageError>()
        expectTypeOf(preview.error.code).toEqualTypeOf<ErrorCode>()
        break
      default:
        expectTypeOf(preview.status).toEqualTypeOf<'ready' | 'refreshing' | 'stale'>()
        expectTypeOf(preview.page).toEqualTypeOf<PageData>()
    }
  })

  it('requires a url and checks the parameters', () => {
    // @ts-expect-error: url is missing
    usePagePreview({ screenshot: true })
    // @ts-expect-error: there is no such device option
    usePagePreview({ url, viewport: { widht: 320 } })
    // @ts-expect-error: what a card looks like is not for those who make their own
    usePagePreview({ url, layout: 'row' })
    // @ts-expect-error: milliseconds are a number
    usePagePreview({ url, refreshInterval: '1m' })
  })
})

it('useSuspensePagePreview always has a page', () => {
  const [, preview] = useSuspensePagePreview({ url })
  expectTypeOf(preview.page).toEqualTypeOf<PageData>()
  expectTypeOf(preview.status).toEqualTypeOf<'ready' | 'refreshing' | 'stale'>()
})

it('pagePreviewQueryOptions fits useQuery, useSuspenseQuery and QueryClient', () => {
  const options = pagePreviewQueryOptions({ url })
  expectTypeOf(useQuery(options).data).toEqualTypeOf<PreviewResult | undefined>()
  expectTypeOf(useQuery(options).error).toEqualTypeOf<PageError | null>()
  expectTypeOf(useSuspenseQuery(options).data).toEqualTypeOf<PreviewResult>()
  expectTypeOf(new QueryClient().ensureQueryData(options)).resolves.toEqualTypeOf<PreviewResult>()
  expectTypeOf(new QueryClient().getQueryData(options.queryKey)).toEqualTypeOf<PreviewResult | undefined>()
  expectTypeOf(options.queryKey).toExtend<readonly ['page-preview', 1, string, string]>()
})
