import type { Document, Element } from 'domhandler'
import { readAttributes } from '../../../card/index.js'
import { elementsOf, findElements, type PreviewElement } from './find-elements.js'
import { findScriptTag } from './find-script-tag.js'
import type { FindPreviewsOptions, FoundPreview, PreviewWarning, SkippedPreview } from './freeze-html-options.js'
import { decodePage } from './page-text.js'
import { parsePage } from './parse-page.js'
import { readRequest } from './read-request.js'

/** A preview and its request. */
export interface ScannedPreview extends PreviewElement, FoundPreview {
  /** The URL as written in the page. */
  href: string
}

/** The previews of a page, and those that have no valid request. */
export interface ScannedPage {
  /** All elements of the page, in the order of the document. */
  elements: readonly Element[]
  previews: ScannedPreview[]
  skipped: SkippedPreview[]
  /** Problems of previews that are frozen nevertheless, for their authors. */
  warnings: PreviewWarning[]
}

/**
 * Finds the previews of a page without changing it, in the order of the document. Those without a valid request are left out.
 *
 * @throws  {PageError} `ETOOLARGE` for a page that cannot be parsed within limits, `EINVALQUERY` for an invalid selector.
 */
export function findPreviews(html: string | Uint8Array, options: FindPreviewsOptions): FoundPreview[] {
  return scanPage(parsePage(decodePage(html).text), options).previews
}

export function scanPage(document: Document, options: FindPreviewsOptions): ScannedPage {
  const elements = elementsOf(document)
  const page: ScannedPage = { elements, previews: [], skipped: [], warnings: [] }
  const found = findElements(document, elements, options)
  if (!found.length) return page
  const context = pageContext(elements, options)
  for (const preview of found) {
    const { startLine: line = 1, startCol: column = 1 } = preview.element.sourceCodeLocation ?? {}
    const read = readRequest(preview, context)
    if ('reason' in read) page.skipped.push({ line, column, reason: read.reason })
    else {
      const { request, href, warning } = read
      page.previews.push({ ...preview, request, href, line, column })
      if (warning) page.warnings.push({ line, column, message: warning })
    }
  }
  return page
}

/** What all previews of a page share: the `data-` attributes of its script tag, and the URL of its `<base>`. */
function pageContext(elements: readonly Element[], { defaults, baseUrl }: FindPreviewsOptions) {
  const script = findScriptTag(elements)
  const base = elements.find(({ name, attribs }) => name === 'base' && attribs['href'])?.attribs['href']
  return {
    defaults: { ...defaults, ...(script && readAttributes(script.attributes, 'data-')) },
    baseUrl: base && URL.canParse(base, baseUrl) ? new URL(base, baseUrl).href : baseUrl,
  }
}
