// Covers `useDevelopmentWarnings` of src/react/use-preview-data.ts.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { PagePreview } from '../../src/react/index.js'
import { page, TARGET } from './fake-service.js'

beforeEach(() => vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(async () => {
  await cleanup()
  vi.restoreAllMocks()
})

it('warns once that the stylesheet is missing', async () => {
  await render(
    <>
      <PagePreview url={TARGET} data={page} />
      <PagePreview url={`${TARGET}/2`} data={page} />
    </>,
  )
  await expect
    .poll(() => vi.mocked(console.warn).mock.calls)
    .toEqual([["page-preview: <PagePreview>: The stylesheet is missing: add `import 'page-preview/styles.css'`."]])
})
