import { selectAll } from 'css-select'
import { isTag, isText, type AnyNode, type Document, type Element } from 'domhandler'
import { isParameter, layoutWarning, readAttributes } from '../../card/index.js'
import { canParseUrl } from '../../query/written-url.js'
import { isPageError, PageError } from '../../query/index.js'
import { toCardRequest, type CardRequest } from './card-request.js'
import { ancestorsOf, decodePage, elementsOf, parsePage, sourceRanges, type SourceRange } from './page-source.js'

/** Which elements of a page are previews, and what they request. */
export interface FindPreviewsOptions {
  /**
   * Selector of plain links that become cards. Example: `main p > a[href^=http]:only-child`; text next to a link counts as a
   * child here.
   */
  auto?: string | undefined
  /** Selector of plain links that get a hover preview. */
  hover?: string | undefined
  /** Parameters and options by name, for every preview that does not set its own; `colorSchemes: 'light dark'` requests both. */
  defaults?: Readonly<Record<string, unknown>> | undefined
  /** URL of the page, to which relative links refer. Default: previews with relative links are left as they are. */
  baseUrl?: string | undefined
}

/** A preview in a page. */
export interface FoundPreview {
  /** A card in the page, or a preview that is shown next to its link while that is hovered. */
  kind: 'card' | 'hover'
  /** What it previews, and how. */
  request: CardRequest
  /** Position of the element in the page, counted from 1. */
  line: number
  column: number
}

/** A preview that freezing left as it was, or a whole page, at its first line. */
export interface SkippedPreview {
  /** Position of the element in the page, counted from 1. */
  line: number
  column: number
  /** A sentence: what is wrong, and what to do. */
  reason: string
}

/** A problem of a preview that was frozen nevertheless, for its author. */
export interface PreviewWarning {
  /** Position of the element in the page, counted from 1. */
  line: number
  column: number
  /** A sentence. */
  message: string
}

/** A preview and its request. */
export interface ScannedPreview extends PreviewElement, FoundPreview {
  /** The URL as written in the page. */
  href: string
}

/** The previews of a page, with and without a valid request. */
interface ScannedPage {
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

/** A preview that can be frozen: a card and its place, or a hover preview. */
export type Target = ScannedPreview & ({ kind: 'hover' } | { kind: 'card'; range: SourceRange })

/** The cards that `freezeHtml` writes into a page, in its order: without previews that it leaves as they are. */
export function findCards(html: string, options: FindPreviewsOptions): (Target & { kind: 'card' })[] {
  return findTargets(parsePage(html), options).targets.filter((target) => target.kind === 'card')
}

/** Finds the previews of a page that can be frozen, and adds the previews that cannot be replaced to the skipped ones. */
export function findTargets(document: Document, options: FindPreviewsOptions): ScannedPage & { targets: Target[] } {
  const page = scanPage(document, options)
  if (!page.previews.length) return { ...page, targets: [] }
  const findRange = sourceRanges(document, page.elements)
  const targets = page.previews.flatMap((preview): Target[] => {
    const { kind, element, line, column } = preview
    if (kind === 'hover') return [{ ...preview, kind }]
    const range = findRange(element)
    if (!('reason' in range)) return [{ ...preview, kind, range }]
    page.skipped.push({ line, column, reason: range.reason })
    return []
  })
  return { ...page, targets }
}

function scanPage(document: Document, options: FindPreviewsOptions): ScannedPage {
  const elements = elementsOf(document)
  const page: ScannedPage = { elements, previews: [], skipped: [], warnings: [] }
  const found = findElements(document, elements, options)
  if (!found.length) return page
  const shared = sharedByPreviews(elements, options)
  for (const preview of found) {
    const { startLine: line = 1, startCol: column = 1 } = preview.element.sourceCodeLocation ?? {}
    const read = readRequest(preview, shared)
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
function sharedByPreviews(
  elements: readonly Element[],
  { defaults, baseUrl }: FindPreviewsOptions,
): Pick<FindPreviewsOptions, 'defaults' | 'baseUrl'> {
  const script = findScriptElement(elements)
  const base = findBaseHref(elements)
  return {
    defaults: { ...defaults, ...(script && readAttributes(script.attributes, 'data-')) },
    baseUrl: base && canParseUrl(base, baseUrl) ? new URL(base, baseUrl).href : baseUrl,
  }
}

/** The `href` of the `<base>` of a page. */
export const findBaseHref = (elements: readonly Element[]): string | undefined =>
  elements.find(({ name, attribs }) => name === 'base' && attribs['href'])?.attribs['href']

/** An element of a page that is a preview, or becomes one. */
interface PreviewElement {
  kind: 'card' | 'hover'
  /** `<page-preview>`, or the link itself. */
  element: Element
  /** The link whose page is previewed. */
  link: Element | undefined
}

/** Elements whose content is not part of the page, or is shown literally. */
const INERT = new Set('template pre code textarea script style noscript svg math xmp listing iframe'.split(' '))

/**
 * Finds the previews of a page, in the order of the document.
 *
 * @param elements  All elements of the document.
 */
function findElements(
  document: Document,
  elements: readonly Element[],
  { auto, hover }: FindPreviewsOptions,
): PreviewElement[] {
  const autoLinks = linksMatching(document, 'auto', auto)
  const hoverLinks = linksMatching(document, 'hover', hover)
  const found = elements.flatMap((element): PreviewElement[] => {
    if (element.name === 'page-preview') return [{ kind: 'card', element, link: findLink(element) }]
    if (element.name !== 'a') return []
    const mark = element.attribs['data-page-preview']
    if (mark === 'false') return []
    if (mark !== undefined) return [{ kind: mark === 'hover' ? 'hover' : 'card', element, link: element }]
    if (!(autoLinks.has(element) || hoverLinks.has(element)) || !isWebLink(element)) return []
    return [{ kind: autoLinks.has(element) ? 'card' : 'hover', element, link: element }]
  })
  return withoutCopies(found).filter(({ element }) => !isInert(element))
}

/** The parser duplicates elements that overlap with others. */
function withoutCopies(previews: readonly PreviewElement[]): PreviewElement[] {
  const starts = new Set<number>()
  return previews.filter(({ element: { sourceCodeLocation } }) => {
    if (!sourceCodeLocation || starts.has(sourceCodeLocation.startOffset)) return false
    starts.add(sourceCodeLocation.startOffset)
    return true
  })
}

function linksMatching(document: Document, option: 'auto' | 'hover', selector: string | undefined): Set<Element> {
  if (selector === undefined) return new Set()
  try {
    const links = selectAll<AnyNode, Element>(selector, document, { pseudos: { 'only-child': isAlone } })
    return new Set(links.filter(({ name }) => name === 'a'))
  } catch (cause) {
    throw new PageError('EINVALQUERY', `The selector of \`${option}\` is not a valid CSS selector: ${selector}`, {
      cause,
      data: { [option]: 'must be a CSS selector' },
    })
  }
}

/** `:only-child` of CSS ignores text, and a link in the middle of a sentence must not become a card. */
const isAlone = (element: Element): boolean =>
  element.parent?.children.every(
    (node) => node === element || !(isTag(node) || (isText(node) && node.data.trim() !== '')),
  ) ?? true

const findLink = (element: Element): Element | undefined => elementsOf(element).find(({ name }) => name === 'a')

/** Links to a place on the same page or to a program have no preview. */
const isWebLink = ({ attribs: { href = '' } }: Element) =>
  href.trim() !== '' && !/^\s*(#|(?!https?:)[a-z][a-z\d+.-]*:)/i.test(href)

/** Whether nothing may be replaced there: in code and templates, and in another preview. */
const isInert = (element: Element) =>
  ancestorsOf(element).some(({ name }) => INERT.has(name) || name === 'page-preview')

/** The request of a preview, its URL as written in the page, and a warning for its author; or the reason why it has none. */
type ReadRequest = { request: CardRequest; href: string; warning: string | undefined } | { reason: string }

/**
 * Reads the request of a preview as the script tag does: the attributes of the element take precedence over the `data-`
 * attributes of its link, and these over the defaults.
 */
function readRequest(
  { element, link }: PreviewElement,
  { defaults, baseUrl }: Pick<FindPreviewsOptions, 'defaults' | 'baseUrl'>,
): ReadRequest {
  const options: Record<string, unknown> = {
    url: link?.attribs['href']?.trim() ?? '',
    ...defaults,
    ...(link && linkOptions(link, link === element)),
    ...(link !== element && { ...readAttributes(element.attributes), ...colorSchemes(element.attribs, '') }),
  }
  const href = String(options['url']).trim()
  if (!href) return { reason: 'The preview has no URL: add the attribute `url`, or a link with `href`.' }
  const url = absoluteUrl(href, baseUrl)
  if (!url)
    return { reason: `The URL of the preview is relative, and the URL of the page is not known: ${href.slice(0, 200)}` }
  try {
    return { request: toCardRequest({ ...options, url }), href, warning: layoutWarning(options['layout']) }
  } catch (error) {
    if (!isPageError(error)) throw error
    const details = Object.entries(error.data ?? {}).map(([name, reason]) => `${name} ${reason}`)
    return { reason: [error.message, ...details.filter((detail) => !error.message.includes(detail))].join(' ') }
  }
}

/**
 * The options among the `data-` attributes of a link. A link without a mark is the page's own: what has the name of a parameter there, such
 * as `data-type`, is not meant for its preview.
 */
export function linkOptions(
  { attribs, attributes }: Pick<Element, 'attribs' | 'attributes'>,
  isPreview: boolean,
): Record<string, unknown> {
  const options = {
    ...readAttributes(attributes, 'data-'),
    ...colorSchemes(Object.fromEntries(attributes.map(({ name, value }) => [name, value])), 'data-'),
  }
  if (isMarked(attribs)) return options
  return isPreview ? Object.fromEntries(Object.entries(options).filter(([name]) => !isParameter(name))) : {}
}

/** Whether its author has marked a link, and not an earlier run. */
const isMarked = (attribs: Readonly<Record<string, string>>) =>
  'data-page-preview' in attribs && !('data-auto' in attribs)

function absoluteUrl(href: string, baseUrl: string | undefined): string | undefined {
  if (/^https?:/i.test(href)) return href
  return canParseUrl(href, baseUrl) ? new URL(href, baseUrl).href : undefined
}

/** An attribute of frozen previews alone: a request has one colour scheme. */
function colorSchemes(attributes: Readonly<Record<string, string>>, prefix: string): { colorSchemes?: string } {
  const value = attributes[`${prefix}color-schemes`] ?? attributes[`${prefix}colorschemes`]
  return value === undefined ? {} : { colorSchemes: value }
}

/** The script tag of a page that loads `page-preview.js`, from any folder. */
export const findScriptElement = (elements: readonly Element[]): Element | undefined =>
  elements.find(({ name, attribs }) => name === 'script' && /(^|\/)page-preview\.js/.test(attribs['src'] ?? ''))
