// Covers what a preview makes of pages that cannot be previewed, as test/static/failed-pages.test.ts does for the other tools.
import { QueryClient } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { PageError } from '../../src/query/index.js'
import { PagePreview, PagePreviewProvider } from '../../src/react/index.js'
import { createFakeService } from '../../src/testing/index.js'
import { FAILED_PAGES } from '../shared/failed-pages.js'

const URL = 'https://shoreline.example/essay'
const queryClient = new QueryClient()

afterEach(() => {
  cleanup()
  queryClient.clear()
})

it('reports each failure once, in strict mode too, and one that is cached already', async () => {
  const fetch = createFakeService({ [URL]: new PageError('ETIMEOUT', 'No response.') })
  const errors: string[] = []
  const preview = (name: string) => (
    <PagePreview key={name} url={URL} loading="eager" onError={() => errors.push(name)} />
  )
  const show = (...names: string[]) => (
    <StrictMode>
      <PagePreviewProvider endpoint="https://service.test" fetch={fetch} queryClient={queryClient}>
        {names.map(preview)}
      </PagePreviewProvider>
    </StrictMode>
  )
  const settled = async () => {
    for (let turn = 0; turn < 5; turn++) await act(() => new Promise((resolve) => setTimeout(resolve)))
  }
  const { rerender } = render(show('a'))
  await waitFor(() => expect(errors).toEqual(['a']))
  await settled()
  expect(errors).toEqual(['a'])
  rerender(show('a', 'b'))
  await waitFor(() => expect(errors.length).toBeGreaterThanOrEqual(4))
  await settled()
  // The second preview fetches the page again, for both.
  expect(errors.toSorted()).toEqual(['a', 'a', 'b', 'b'])
})

it.each(FAILED_PAGES)(
  'a page that $name keeps its link, and says so to the app',
  async ({ state, statusCode, error }) => {
    const fetch = createFakeService({
      [URL]: error ?? {
        title: 'Oops: not here',
        description: 'Something went wrong.',
        ...(state && { state }),
        statusCode,
      },
    })
    const [onLoad, onError] = [vi.fn(), vi.fn()]
    render(
      <PagePreviewProvider endpoint="https://service.test" fetch={fetch} queryClient={queryClient}>
        <PagePreview url={URL} screenshot loading="eager" onLoad={onLoad} onError={onError}>
          The essay
        </PagePreview>
      </PagePreviewProvider>,
    )
    await waitFor(() => expect(onLoad.mock.calls.length + onError.mock.calls.length).toBe(1))
    const link = screen.getByRole('link')
    expect(link.getAttribute('href')).toBe(URL)
    if (error) {
      expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'ETIMEOUT' }))
      expect(link.textContent).toBe('The essay')
      return
    }
    expect(onLoad).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ state, screenshot: null }),
      expect.objectContaining({ statusCode }),
    )
    // A consent wall is in front of the page, whose title the result has.
    expect(link.textContent).toBe(state === 'consent' ? 'Oops: not here' : 'The essay')
  },
)
