// Covers all components under a strict content security policy.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { HoverPreview, PagePreview, PagePreviewProvider, PageScreenshot } from '../../src/react/index.js'
import stylesUrl from '../../src/react/styles.css?url'
import { fakeService, page, screenshot, TARGET } from './fake-service.js'
import imageUrl from './images/old.png?url'

const own = { ...page, screenshot: { ...screenshot, url: imageUrl, width: 1280, height: 800 } }
const video = { url: imageUrl, type: 'mp4', size: null, size_pretty: null, width: null, height: null }

afterEach(() => document.body.replaceChildren())

/** A page as a server sends it, under a policy without inline styles, with the violations of that policy. */
async function strictPage(html: string): Promise<{ body: HTMLElement; violations: () => string[] }> {
  const frame = document.createElement('iframe')
  frame.width = '600'
  frame.height = '600'
  frame.srcdoc = `<!doctype html><html><head>
    <script>
      denied = []
      addEventListener('securitypolicyviolation', (event) => denied.push(event.violatedDirective + ' ' + event.sample))
    </script>
    <meta http-equiv="content-security-policy" content="style-src 'self'">
    <link rel="stylesheet" href="${stylesUrl}"></head><body>${html}</body></html>`
  document.body.append(frame)
  await new Promise((resolve) => frame.addEventListener('load', resolve))
  const { contentWindow, contentDocument } = frame
  return {
    body: contentDocument!.body,
    violations: () => (contentWindow as Window & { denied?: string[] }).denied!,
  }
}

const service = fakeService({ data: { ...own, video }, cache: 'STALE', timestamp: 1_000 })
const failing = fakeService({ error: { status: 504, code: 'ETIMEOUT' } })
const app: ReactElement = (
  <QueryClientProvider client={new QueryClient()}>
    <PagePreviewProvider fetch={service.fetch}>
      <PagePreview url={TARGET} data={own} />
      <PagePreview url={TARGET} data={own} layout="image" />
      <PagePreview url={TARGET} data={own} layout="row" element="#main" />
      <PagePreview url={TARGET} screenshot className="fetched" loading="eager" />
      <PagePreviewProvider fetch={failing.fetch}>
        <PagePreview url="https://mara.example" className="failed" loading="eager" />
      </PagePreviewProvider>
      <PageScreenshot url={TARGET} data={own} />
      <HoverPreview url={TARGET} data={own} />
    </PagePreviewProvider>
  </QueryClientProvider>
)

it('is not violated by server-rendered and hydrated previews', async () => {
  const errors = vi.spyOn(console, 'error')
  const { body, violations } = await strictPage(`<div>${renderToString(app)}</div>`)
  const container = body.firstElementChild!
  const card = container.querySelector<HTMLElement>('.page-preview')!
  expect(card.querySelector('.pp-media')!.getBoundingClientRect().height).toBeGreaterThan(50)
  const root = hydrateRoot(container, app)
  await vi.waitFor(() => expect(container.querySelector('.failed .pp-retry')).not.toBeNull(), { timeout: 15_000 })
  await vi.waitFor(() => expect(card.style.getPropertyValue('--pp-media-background')).toBe('#f6f1e5'))
  container.querySelector<HTMLElement>('.pp-hover')!.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
  container.querySelector<HTMLElement>('.failed .pp-retry')!.click()
  await vi.waitFor(() => expect(container.querySelector('[role=status]')).not.toBeNull())
  expect(violations()).toEqual([])
  expect(errors).not.toHaveBeenCalled()
  errors.mockRestore()
  root.unmount()
})

it('is violated by a style attribute (control)', async () => {
  const { violations } = await strictPage('<p style="color: red">red</p>')
  await vi.waitFor(() => expect(violations()).toEqual(['style-src-attr ']))
})
