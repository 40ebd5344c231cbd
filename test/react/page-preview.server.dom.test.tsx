// Covers the components rendered on a server and hydrated.
// @vitest-environment node
import { version } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PagePreview, PagePreviewProvider, PageScreenshot } from '../../src/react/index.js'
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

it('renders a working link on the server', () => {
  const html = htmlOf(<PagePreview url={TARGET} screenshot />)
  expect(html).toContain('data-status="loading"')
  expect(html).toContain(`<a class="pp-link" href="${TARGET}">`)
  expect(html).not.toContain('<img')
})

it('renders the embedded image on the server, visible without script', () => {
  const html = htmlOf(<PagePreview url={TARGET} element="#main" embed endpoint="https://service.test" />)
  expect(html).toContain('src="https://service.test/?element=%23main&amp;embed=true&amp;url=')
  expect(html).toContain('&amp;variant.width=640&amp;variant.type=webp 640w,')
  expect(html).not.toContain('data-pending')
})

it('renders the caller’s data on the server', () => {
  const html = htmlOf(<PagePreview url={TARGET} data={page} layout="image" />)
  expect(html).toContain('data-status="ready"')
  expect(html).toContain('<img class="pp-image" width="2560" height="1600" loading="lazy"')
  expect(html).not.toContain('data-pending')
})

it('renders a chip on the server', () => {
  expect(
    htmlOf(
      <PagePreview url={TARGET} layout="inline">
        the essay
      </PagePreview>,
    ),
  ).toContain('<span>the essay</span></a>')
})

describe('an image with priority', () => {
  const embedded = (parameters: string) => `https://service.test/?${parameters}&amp;url=${encodeURIComponent(TARGET)}`
  const cases = [
    {
      name: 'the caller’s data',
      preview: <PagePreview url={TARGET} data={page} priority />,
      src: page.screenshot!.url,
    },
    {
      name: 'an embedded screenshot',
      preview: <PagePreview url={TARGET} element="#main" embed priority endpoint="https://service.test" />,
      src: embedded('element=%23main&amp;embed=true'),
    },
    {
      name: 'PageScreenshot',
      preview: <PageScreenshot url={TARGET} priority endpoint="https://service.test" />,
      src: embedded('embed=true&amp;screenshot=true'),
    },
  ]

  it.each(cases)('is preloaded: $name', ({ preview, src }) => {
    const html = htmlOf(preview)
    const [image] = /<img [^>]+>/.exec(html)!
    expect(image).toContain(' loading="eager"')
    expect(image).toMatch(/ fetchpriority="high"/i)
    expect(image).toContain(` src="${src}"`)
    const [, sizes, srcSet] = / sizes="([^"]+)" srcSet="([^"]+)"/i.exec(image) ?? []
    const source = srcSet ? `imageSrcSet="${srcSet}" imageSizes="${sizes}"` : `href="${src}"`
    const preload = `<link rel="preload" as="image" ${source} fetchPriority="high"/>`
    // Only React 19 and later emits preload links for images.
    expect(html.startsWith(preload)).toBe(!version.startsWith('18'))
  })

  it.each([
    { when: 'it has no priority', preview: <PagePreview url={TARGET} data={page} /> },
    { when: 'its URL is not known yet', preview: <PagePreview url={TARGET} screenshot priority /> },
  ])('is not preloaded when $when', ({ preview }) => {
    expect(htmlOf(preview)).not.toMatch(/preload|fetchpriority/i)
  })
})
