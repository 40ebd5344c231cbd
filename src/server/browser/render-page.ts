import type { Rendering } from './capture.js'
import type { OpenPage } from './open-page.js'
import { renderedHtml } from './rendered-html.js'
import { visitPage, type VisitPageOptions } from './visit-page.js'

/**
 * Opens the page of a query, lightly, for its document as the scripts of the page make it.
 *
 * @throws  {PageError} as `visitPage` does.
 */
export async function renderPage(
  page: OpenPage,
  options: Omit<VisitPageOptions, 'isLight' | 'warn'>,
): Promise<Omit<Rendering, 'timings'>> {
  const warnings: string[] = []
  const frame = await visitPage(page, { ...options, isLight: true, warn: (warning) => void warnings.push(warning) })
  const html = await renderedHtml(page)
  const { url, statusCode } = frame.shown()!
  return { html, url, statusCode, warnings }
}
