// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PagePreview, PagePreviewProvider } from '../../src/react/index.js'
import { page, TARGET } from './fake-service.js'

const request = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.spyOn(console, 'error')
  vi.spyOn(console, 'warn')
})
afterEach(() => {
  expect(console.error).not.toHaveBeenCalled()
  expect(console.warn).not.toHaveBeenCalled()
  expect(request).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

const htmlOf = (preview: React.ReactElement) =>
  renderToString(<PagePreviewProvider fetch={request}>{preview}</PagePreviewProvider>)

it('gives a working link on the server', () => {
  const html = htmlOf(<PagePreview url={TARGET} screenshot />)
  expect(html).toContain('data-state="loading"')
  expect(html).toContain(`<a class="pp-link" href="${TARGET}">`)
  expect(html).not.toContain('<img')
})

it('gives the embedded picture on the server, to be seen without script', () => {
  const html = htmlOf(<PagePreview url={TARGET} element="#main" embed hosts="https://service.test" />)
  expect(html).toContain('src="https://service.test/?element=%23main&amp;embed=true&amp;url=')
  expect(html).not.toContain('data-pending')
})

it('gives own data on the server', () => {
  const html = htmlOf(<PagePreview url={TARGET} data={page} layout="image" />)
  expect(html).toContain('data-state="ready"')
  expect(html).toContain('<img width="2560" height="1600" loading="lazy"')
  expect(html).not.toContain('data-pending')
})

it('gives a chip on the server', () => {
  expect(
    htmlOf(
      <PagePreview url={TARGET} layout="inline">
        the essay
      </PagePreview>,
    ),
  ).toContain('the essay</a>')
})
