// Covers the way from the props of a component to its request: the query is parsed once.
import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi, type MockInstance } from 'vitest'
import { parsers } from '../../src/query/parameter-values.js'
import { PagePreview, PagePreviewProvider, PageScreenshot } from '../../src/react/index.js'
import { failOnConsoleError } from './fail-on-console-error.js'
import { page, TARGET } from './fake-service.js'

/** Each query has one URL. */
let parse: MockInstance<typeof parsers.url>

/** The fake service would parse the query too. */
const fetch = async () => Response.json({ status: 'success', data: page })

failOnConsoleError()
beforeEach(() => {
  parse = vi.spyOn(parsers, 'url')
})

it.each([{}, { embed: true }, { apiKey: 'pp_secret' }, { query: { filter: 'title,screenshot' } }])(
  'parses the query of a PagePreview once, from mount to the result, with %o',
  async (props) => {
    const query = { url: TARGET, screenshot: true, ...props }
    render(
      <PagePreviewProvider fetch={fetch} queryClient={new QueryClient()}>
        <PagePreview {...query} data-testid="root" />
      </PagePreviewProvider>,
    )
    await waitFor(() => expect(screen.getByTestId('root').dataset.status).toBe('ready'))
    expect(parse).toHaveBeenCalledTimes(1)
  },
)

it('parses the query of a PageScreenshot once', async () => {
  render(
    <PagePreviewProvider fetch={fetch} queryClient={new QueryClient()}>
      <PageScreenshot url={TARGET} loading="eager" />
    </PagePreviewProvider>,
  )
  await waitFor(() => expect(screen.getByRole('img').style.backgroundColor).toBe('rgb(246, 241, 229)'))
  expect(parse).toHaveBeenCalledTimes(1)
})
