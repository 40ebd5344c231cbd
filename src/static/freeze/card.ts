import type { Element } from 'domhandler'
import { html as markup } from 'hono/html'
import { DomUtils } from 'htmlparser2'
import {
  cardModel,
  filterData,
  imageFit,
  imageSizes,
  toDisplayUrl,
  withUnicodeHost,
  type CardImage,
} from '../../card/index.js'
import { attributesMarkup, markupText, staticCard, type Attributes, type Markup } from '../../server/html-card.js'
import { nearestFile, type FrozenFile, type FrozenImage, type FrozenPreview } from './frozen-preview.js'
import { imageFieldOf, type CardRequest } from './card-request.js'
import { linkOptions, type ScannedPreview } from './find-previews.js'
import { ancestorsOf, elementsOf, type Edit, type SourceRange } from './page-source.js'

/** Marks what freezing has written, so that it is found again. */
export const FROZEN = 'data-frozen'
const ARCHIVE = 'pp-archive'

/** Elements that may only contain phrasing content; anything else would end a paragraph. */
const PHRASING_PARENTS = new Set('p h1 h2 h3 h4 h5 h6 span em strong b i u s small mark q cite label button'.split(' '))
/** Attributes of a link that stay on the link of its card. */
const LINK_ATTRIBUTES = ['target', 'rel', 'hreflang', 'referrerpolicy']
/** Attributes that move from a link to its card. */
const HOST_ATTRIBUTES = ['id', 'lang', 'dir', 'hidden', 'slot']

/** The `<page-preview>` that a preview becomes. */
export interface CardElement {
  /** The attributes of the element, without `FROZEN`. */
  attributes: Readonly<Record<string, string>>
  /** Its content. */
  html: string
  /** The page already has this content: the author's own link, for a page that could not be previewed. */
  isOwnLink: boolean
}

export function cardElement(
  scanned: ScannedPreview,
  { preview, assets }: { preview: FrozenPreview | undefined; assets: string },
): CardElement {
  const { element, link, request, href } = scanned
  const html = frozenCard({
    request,
    preview,
    assets,
    href,
    text: authorText(scanned),
    link: linkAttributes(element, link),
    isPhrasing: ancestorsOf(element).some(({ name }) => PHRASING_PARENTS.has(name)),
  })
  return { attributes: elementAttributes(scanned), html, isOwnLink: false }
}

/**
 * What a page that could not be previewed leaves in place of a card: the link as its author wrote it, or one with the same address
 * and text if there is none or an earlier run has replaced it.
 *
 * @param source      The text of the page.
 * @param archiveUrl  URL of an archived copy of the page.
 */
export function linkElement(
  scanned: ScannedPreview & { range: SourceRange },
  { source, archiveUrl }: { source: string; archiveUrl: string | undefined },
): CardElement {
  const { element, link, href, range, request } = scanned
  const attributes = elementAttributes(scanned)
  if (link && !archiveUrl && !writtenCard(element) && !findByClass(element, ARCHIVE)) {
    const html =
      element === link ? source.slice(range.start, range.end) : source.slice(range.contentStart, range.contentEnd)
    return { attributes, html, isOwnLink: true }
  }
  const text = authorText(scanned) ?? addressOf(request)
  const html = markup`<a${attributesMarkup({ href, ...linkAttributes(element, link) })}>${text}</a>${archiveUrl && markup` ${archiveLink(archiveUrl)}`}`
  return { attributes, html: markupText(html), isOwnLink: false }
}

function elementAttributes({ element, link }: ScannedPreview): Record<string, string> {
  const { [FROZEN]: _, ...attributes } = element.attribs
  return element === link ? hostAttributes(element) : attributes
}

/** The edits that replace the content of a preview, or a marked link, with its card. */
export function cardEdits(
  { element, link }: ScannedPreview,
  range: SourceRange,
  { attributes, html }: CardElement,
): Edit[] {
  if (element === link) {
    const startTag = `<page-preview ${FROZEN}${markupText(attributesMarkup(attributes))}>`
    return [{ start: range.start, end: range.end, html: `${startTag}${html}</page-preview>` }]
  }
  const content = { start: range.contentStart, end: range.contentEnd, html }
  if (FROZEN in element.attribs) return [content]
  const afterName = range.start + '<page-preview'.length
  return [{ start: afterName, end: afterName, html: ` ${FROZEN}` }, content]
}

/** What the author calls the page; the card of an earlier run carries it as its label. */
function authorText({ element, link, request }: ScannedPreview): string | undefined {
  const root = writtenCard(element)
  const text = root
    ? root.attribs['aria-label']
    : (link?.attribs['aria-label'] ?? DomUtils.textContent(link ?? element))
  const plain = text?.replace(/\s+/g, ' ').trim()
  // An earlier run has written a link where its author has none.
  if (FROZEN in element.attribs && plain === addressOf(request)) return undefined
  return plain || undefined
}

/** What a card shows of its address, which is the text of a link whose author wrote none. */
const addressOf = ({ query: { url } }: CardRequest) => withUnicodeHost(toDisplayUrl(url)).text

/** The card that an earlier run has written into an element. */
const writtenCard = (element: Element): Element | undefined =>
  FROZEN in element.attribs ? findByClass(element, 'page-preview') : undefined

/** Whether an earlier run has written the card of a page that it knew. */
export const hasCardWithImage = (element: Element): boolean => {
  const card = writtenCard(element)
  return card !== undefined && elementsOf(card).some(({ name }) => name === 'img')
}

const findByClass = (element: Element, className: string) =>
  elementsOf(element).find(({ attribs }) => attribs['class'] === className)

/** Attributes of the author's link for the link of the card, with its parameters if it is marked inside of the element. */
function linkAttributes(element: Element, link: Element | undefined): Record<string, string> {
  const isMarked = link !== element && link && 'data-page-preview' in link.attribs
  return Object.fromEntries(
    Object.entries(link?.attribs ?? {}).filter(
      ([name]) => LINK_ATTRIBUTES.includes(name) || (isMarked && name.startsWith('data-')),
    ),
  )
}

/** The attributes of the `<page-preview>` that replaces a link, including the parameters of the link. */
function hostAttributes({ attribs, attributes }: Element): Record<string, string> {
  const parameters = attributes
    .filter((attribute) => Object.keys(linkOptions({ attribs, attributes: [attribute] }, true)).length > 0)
    .map(({ name, value }) => [name.replace(/^data-/, ''), value] as const)
  const global = Object.entries(attribs).filter(([name]) => HOST_ATTRIBUTES.includes(name))
  const href = attribs['href']?.trim()
  return { ...(href !== undefined && { url: href }), ...Object.fromEntries([...parameters, ...global]) }
}

interface FrozenCard {
  request: CardRequest
  /** `undefined` if nothing is known about the page. */
  preview: FrozenPreview | undefined
  /** URL of the folder of assets. */
  assets: string
  /** The URL of the page as its author wrote it. */
  href: string
  /** What the author calls the page. */
  text: string | undefined
  /** Further attributes of the link. */
  link: Attributes
  /** Whether the card may contain phrasing content only, as within a paragraph. */
  isPhrasing: boolean
}

/** Writes the complete card of a preview. */
export function frozenCard({ request, preview, assets, href, text, link, isPhrasing }: FrozenCard): string {
  const { query, filter, layout, theme, alt, imageDetails, locale } = request
  const data = preview && (filter ? filterData(preview.data, filter) : preview.data)
  const displayUrl = withUnicodeHost(toDisplayUrl(query.url))
  const field = preview && imageFieldOf(request, preview.data)
  // With `embed` a filter applies to the texts only.
  const image = field && (request.embed || data?.[field]) ? preview.image : undefined
  const card = cardModel({
    displayUrl,
    state: preview?.isStale ? 'stale' : 'ready',
    page: data,
    image: image && cardImage(image, field && data?.[field]),
    locale,
    alt,
  })
  const icon = data?.logo ? preview?.icon?.files.at(-1) : undefined
  const html = staticCard({
    card: { ...card, icon: icon && assets + icon.name, imageDetails: imageDetails ? card.imageDetails : [] },
    layout,
    linkText: (layout === 'inline' ? undefined : card.title) ?? text ?? displayUrl.text,
    link: { href, ...link },
    root: {
      'data-theme': theme === 'auto' ? undefined : theme,
      'data-fit': imageFit({ element: query.element, layout }),
      // A chip has the text of the author.
      lang: (layout !== 'inline' && data?.lang) || undefined,
      'aria-label': text,
    },
    icon: { decoding: 'async' },
    image: image && pictureMarkup({ image, darkImage: preview?.darkImage, alt: card.alt, request, assets }),
    status: preview?.isStale ? savedDate(preview.date, locale) : undefined,
    footer: preview?.archiveUrl ? archiveLink(preview.archiveUrl) : undefined,
    isPhrasing,
    separator: ' ',
  })
  return markupText(html)
}

/** What the alternative text and the details of the image are made of. */
const cardImage = (
  { width, height, isScreenshot }: NonNullable<FrozenPreview['image']>,
  media: CardImage['media'] | null,
): CardImage => ({
  src: '',
  srcSet: undefined,
  fallbackSrc: undefined,
  width,
  height,
  background: undefined,
  isScreenshot,
  media: media ?? undefined,
})

/** When the page last worked; a date needs no translated words. */
function savedDate(date: string, locale = 'en'): Markup {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
  return markup`<span class="pp-status"><time datetime="${date}">${day}</time></span>`
}

const archiveLink = (href: string) =>
  markup`<a${attributesMarkup({ class: ARCHIVE, href, rel: 'noopener' })}>${new URL(href).host.replace(/^www\./, '')}</a>`

interface Picture {
  image: FrozenImage
  /** The image of the page in its dark colour scheme. */
  darkImage?: FrozenImage | undefined
  alt: string
  request: Pick<CardRequest, 'layout' | 'loading' | 'priority'>
  /** URL of the folder of the files. */
  assets: string
}

/** Types that only modern browsers support, smallest first. */
const MODERN_TYPES: readonly FrozenFile['type'][] = ['avif', 'webp']
const MIME_TYPES: Partial<Record<FrozenFile['type'], string>> = {
  jpg: 'image/jpeg',
  ico: 'image/x-icon',
}
/** Width of the file that is shown without a stylesheet, and by browsers that support none of the other types. */
const PLAIN_WIDTH = 640

/** Writes the image of a card: an `<img>`, in a `<picture>` if it has several types or colour schemes. */
function pictureMarkup({ image, darkImage, alt, request, assets }: Picture): Markup {
  const { priority, layout } = request
  const loading = priority ? 'eager' : (request.loading ?? 'lazy')
  const sizes = loading === 'lazy' ? `auto, ${imageSizes[layout]}` : imageSizes[layout]
  const types = typesOf(image)
  const fallbackType = types.at(-1)
  const plain = nearestFile(
    image.files.filter(({ type }) => type === fallbackType),
    PLAIN_WIDTH,
  )
  if (!plain) return markup``
  const srcset = srcsetOf(image, plain.type, assets)
  const img = markup`<img${attributesMarkup({
    class: 'pp-image',
    ...dimensions(image, plain),
    loading,
    decoding: 'async',
    fetchpriority: priority ? 'high' : undefined,
    alt,
    ...(srcset && { sizes, srcset }),
    src: assets + plain.name,
  })}>`
  const sources = [
    ...(darkImage ? typesOf(darkImage).map((type) => source(darkImage, type, '(prefers-color-scheme: dark)')) : []),
    ...types.slice(0, -1).map((type) => source(image, type)),
  ]
  return sources.length ? markup`<picture>${sources}${img}</picture>` : img

  function source(variants: FrozenImage, type: FrozenFile['type'], media?: string): Markup {
    const files = variants.files.filter((file) => file.type === type)
    const [only] = files
    return markup`<source${attributesMarkup({
      media,
      type: MIME_TYPES[type] ?? `image/${type}`,
      ...(media && dimensions(variants, nearestFile(files, PLAIN_WIDTH))),
      sizes: files.length > 1 ? sizes : undefined,
      srcset: srcsetOf(variants, type, assets) ?? (only && assets + only.name),
    })}>`
  }
}

/** The types of an image in the order in which browsers choose; the last one is supported everywhere. */
function typesOf({ files }: FrozenImage): FrozenFile['type'][] {
  const types = [...new Set(files.map(({ type }) => type))]
  const modern = MODERN_TYPES.filter((type) => types.includes(type))
  return [...modern, ...types.filter((type) => !modern.includes(type)).slice(0, 1)]
}

/** `undefined` if there is nothing to choose from, or nothing to choose by. */
function srcsetOf({ files }: FrozenImage, type: FrozenFile['type'], assets: string): string | undefined {
  const variants = files.filter((file) => file.type === type && file.width > 0).toSorted((a, b) => a.width - b.width)
  return variants.length > 1 ? variants.map(({ name, width }) => `${assets}${name} ${width}w`).join(', ') : undefined
}

/**
 * The size of one file, because the image itself would be wider than most pages that have no stylesheet. `undefined` if it is
 * not known.
 */
const dimensions = ({ width, height }: FrozenImage, file: FrozenFile | undefined) =>
  file && file.width > 0 && width > 0 && height > 0
    ? { width: file.width, height: Math.max(1, Math.round((height / width) * file.width)) }
    : undefined
