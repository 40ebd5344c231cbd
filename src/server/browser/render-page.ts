import type { RenderedPage } from './capture.js'
import type { OpenPage } from './open-page.js'
import { serializeDocument } from './serialize-document.js'
import { visitPage, type VisitPageOptions } from './visit-page.js'

/**
 * Opens the page of a query without images, fonts and media, and serializes its document after its scripts have run.
 *
 * @throws  {PageError} as `visitPage` does.
 */
export async function renderPage(
  page: OpenPage,
  options: Omit<VisitPageOptions, 'isTextOnly' | 'warn'>,
): Promise<Omit<RenderedPage, 'timings'>> {
  const warnings: string[] = []
  const frame = await visitPage(page, {
    ...options,
    isTextOnly: true,
    warn: (warning) => void warnings.push(warning),
  })
  const html = await serializeDocument(page)
  const { url, statusCode } = frame.document()!
  return { html, url, statusCode, isCutShort: options.deadline.waitLeftMs() === 0, warnings }
}
