import { layoutWarning, readAttributes } from '../../../card/index.js'
import { isPageError } from '../../../query/index.js'
import type { PreviewElement } from './find-elements.js'
import { toCardRequest, type CardRequest } from './card-request.js'

interface RequestContext {
  /** Parameters and options of every preview. */
  defaults: Readonly<Record<string, unknown>>
  /** URL to which relative URLs refer. */
  baseUrl: string | undefined
}

/** The request of a preview, its URL as written in the page, and a warning for its author; or the reason why it has none. */
export type ReadRequest = { request: CardRequest; href: string; warning: string | undefined } | { reason: string }

/**
 * Reads the request of a preview as the script tag does: the attributes of the element take precedence over the `data-`
 * attributes of its link, and these over the defaults.
 */
export function readRequest({ element, link }: PreviewElement, { defaults, baseUrl }: RequestContext): ReadRequest {
  const isMarkedLink = link && (link === element || 'data-page-preview' in link.attribs)
  const options: Record<string, unknown> = {
    url: link?.attribs['href']?.trim() ?? '',
    ...defaults,
    ...(isMarkedLink && { ...readAttributes(link.attributes, 'data-'), ...colorSchemes(link.attribs, 'data-') }),
    ...(link !== element && { ...readAttributes(element.attributes), ...colorSchemes(element.attribs, '') }),
  }
  const href = String(options['url']).trim()
  if (!href) return { reason: 'It has no URL: add the attribute `url`, or a link with `href`.' }
  const url = absoluteUrl(href, baseUrl)
  if (!url) return { reason: `Its URL is relative, and the URL of the page is not known: ${href.slice(0, 200)}` }
  try {
    return { request: toCardRequest({ ...options, url }), href, warning: layoutWarning(options['layout']) }
  } catch (error) {
    if (!isPageError(error)) throw error
    const details = Object.entries(error.data ?? {}).map(([name, reason]) => `${name} ${reason}`)
    return { reason: [error.message, ...details.filter((detail) => !error.message.includes(detail))].join(' ') }
  }
}

function absoluteUrl(href: string, baseUrl: string | undefined): string | undefined {
  if (/^https?:/i.test(href)) return href
  return URL.canParse(href, baseUrl) ? new URL(href, baseUrl).href : undefined
}

/** An attribute of frozen previews alone: a request has one colour scheme. */
function colorSchemes(attributes: Readonly<Record<string, string>>, prefix: string): { colorSchemes?: string } {
  const value = attributes[`${prefix}color-schemes`] ?? attributes[`${prefix}colorschemes`]
  return value === undefined ? {} : { colorSchemes: value }
}
