// The templates are not named `html`, because the formatter would reformat them: spaces between inline elements are visible.
import { html as markup, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import {
  cardModel,
  chooseImage,
  imageFit,
  imageSizes,
  toDisplayUrl,
  withUnicodeHost,
  type CardImage,
  type CardModel,
  type Layout,
} from '../card/index.js'
import type { PageData, PageQuery } from '../query/index.js'

export interface CardSources {
  /** The stylesheet of the components; all of its rules apply to cards alone. */
  styles: string
  /** URL of the page's oEmbed document, for previews that are public. */
  discovery: string | undefined
}

/**
 * For a document that holds only the card, as in a frame. A card that is included in another page has its stylesheet
 * beside it, so it is never the only child there and keeps the font of that page.
 */
const FRAME_STYLES = 'body:has(> .page-preview:only-child){margin:0;font-family:system-ui,sans-serif}'

/**
 * Renders a page as a self-contained HTML card, for an iframe or a server-side include: the markup of the React component's
 * `card` layout without any script.
 *
 * @returns  A whole document that omits `<html>`, `<head>` and `<body>`: inside another page those tags would change it.
 */
export function htmlCard(data: PageData, { url, element }: PageQuery, { styles, discovery }: CardSources): string {
  const page = withLoadableImages(data)
  const displayUrl = withUnicodeHost(toDisplayUrl(url))
  const card = cardModel({ displayUrl, state: 'ready', page, image: chooseImage(page) })
  const title = card.title ?? displayUrl.text
  const background = card.image?.background
  const cardDocument = markup`<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>${discovery && discoveryLink(discovery, title)}
<style>${styleText(styles)}</style>
${staticCard({
  card,
  layout: 'card',
  linkText: title,
  link: { href: url, target: '_top', rel: 'noopener' },
  root: {
    'data-fit': imageFit({ element }),
    lang: data.lang || undefined,
    style: background && `--pp-media-background:${background}`,
  },
  icon: { referrerpolicy: 'no-referrer' },
  image: card.image && cardImage(card.image, card.alt),
})}
`
  return markupText(cardDocument)
}

/**
 * Without a script, an image that fails to load cannot be replaced. So the card shows only http(s) images, and an icon only
 * when the service has fetched it, or read it from its `data:` URL (its type is known then).
 */
function withLoadableImages(data: PageData): PageData {
  const isWebUrl = (url: string) => /^https?:\/\//i.test(url)
  const isIconUrl = (url: string) => isWebUrl(url) || url.startsWith('data:image/')
  return {
    ...data,
    image: data.image && isWebUrl(data.image.url) ? data.image : null,
    logo: data.logo?.type && isIconUrl(data.logo.url) ? data.logo : null,
  }
}

const discoveryLink = (url: string, title: string) =>
  markup`\n<link rel="alternate" type="application/json+oembed" href="${url}" title="${title}">`

/** CSS cannot be escaped as HTML; only a closing tag could end the element early. */
const styleText = (styles: string) => raw([styles, FRAME_STYLES].join('\n').replaceAll('</', '<\\/'))

const cardImage = ({ src, srcSet, width, height, isScreenshot }: CardImage, alt: string) =>
  markup`<img${attributesMarkup({
    class: 'pp-image',
    src,
    width,
    height,
    alt,
    decoding: 'async',
    referrerpolicy: 'no-referrer',
    sizes: srcSet && imageSizes.card,
    srcset: srcSet,
    // The last one: a proxy of this service rewrites the URLs of its screenshots, and no others.
    'data-screenshot': isScreenshot ? '' : undefined,
  })}>`

/** The content and the context of a static card. */
export interface StaticCard {
  card: CardModel
  layout: Layout
  /** The text of the link: the page's title, else the author's text. In the inline layout always the author's. */
  linkText: string
  /** Attributes of the link, with `href`; in the inline layout the link is the root. */
  link: Attributes
  /** Attributes of the root, in addition to class, layout and state. */
  root: Attributes
  /** The attributes of an icon that is an image. Default: the attributes that every icon has. */
  icon?: Attributes
  /** The image, with the class `pp-image`. Default: the page's icon, or the first letter of its host. */
  image: Markup | undefined
  /** A text on the image, such as the date of a card whose page no longer works. */
  status?: Markup | undefined
  /** The end of the footer, in place of the details of the image. */
  footer?: Markup | undefined
  /** Uses only elements that are allowed in a paragraph; others would end it. */
  isPhrasing?: boolean
  /** What stands between parts that otherwise only the stylesheet sets apart. Default: nothing. */
  separator?: ' '
}

/** The same sizes as in `react/parts/texts.tsx`, which is not part of the service. */
const ICON_PIXELS = { icon: 16, fallback: 64 } as const

/** Writes a card without script, with the markup and the class names of the React component. */
export function staticCard(content: StaticCard): Markup {
  const { card, layout, root } = content
  const attributes = attributesMarkup({
    class: 'page-preview',
    'data-layout': layout,
    'data-status': card.state,
    ...root,
    ...(layout === 'inline' && content.link),
  })
  if (layout === 'inline') return markup`<a${attributes}>${icon(content, 'icon')}<span>${content.linkText}</span></a>`
  const tag = tagIn(content, layout === 'image' ? 'figure' : 'article')
  const div = tagIn(content, 'div')
  return markup`<${tag}${attributes}>
<${div} class="pp-media">${content.image ?? icon(content, 'fallback')}${content.status}</${div}>
${layout === 'image' ? caption(content) : body(content)}
</${tag}>`
}

const tagIn = ({ isPhrasing }: StaticCard, tag: string) => raw(isPhrasing ? 'span' : tag)

function body(content: StaticCard): Markup {
  const { card } = content
  const div = tagIn(content, 'div')
  return markup`<${div} class="pp-body">
<${div} class="pp-text" dir="auto">${link(content, 'pp-link')}<br><span class="pp-description">${card.description}</span></${div}>
${footer(content, markup`<bdi class="pp-host">${card.displayUrl.host}</bdi>`)}
</${div}>`
}

function caption(content: StaticCard): Markup {
  const tag = tagIn(content, 'div')
  return markup`<${tag} class="pp-body">${footer(content, link(content, 'pp-link pp-host'))}</${tag}>`
}

function footer(content: StaticCard, site: Markup): Markup {
  const { separator = '' } = content
  return markup`<span class="pp-site">${icon(content, 'icon')}${separator}${site}</span>${separator}${content.footer ?? imageDetails(content.card, separator)}`
}

/** The only link of a card; its cover makes the whole card clickable. */
const link = (content: StaticCard, className: string) =>
  markup`<a${attributesMarkup({ class: className, ...content.link })}><span class="pp-title">${content.linkText}</span><span class="pp-cover"></span></a>`

/** The page's icon, small next to the host or large in place of a missing image; else the first letter of the host. */
function icon({ card, icon: attributes }: StaticCard, part: 'icon' | 'fallback'): Markup {
  const pixels = ICON_PIXELS[part]
  const image = { src: card.icon, width: pixels, height: pixels, alt: '', ...attributes }
  return markup`<span class="pp-${part}" aria-hidden="true">${card.icon ? markup`<img${attributesMarkup(image)}>` : card.displayUrl.letter}</span>`
}

const imageDetails = ({ imageDetails }: CardModel, separator: string) =>
  imageDetails.length > 0 &&
  markup`<span class="pp-image-details" dir="ltr">${imageDetails.map((detail, index) => markup`${index > 0 && separator}<span>${detail}</span>`)}</span>`

/** Attributes of an element, in the order in which they are written; those without a value are left out. */
export type Attributes = Readonly<Record<string, string | number | null | undefined>>

/** HTML that is escaped already. It is a promise only if one of its values is. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

/**
 * Writes attributes, each with a space before it. Their values are escaped, their names are not.
 *
 * @example  attributesMarkup({ href: '/?a&b', lang: undefined }) // ' href="/?a&amp;b"'
 */
export const attributesMarkup = (attributes: Attributes): Markup =>
  markup`${Object.entries(attributes).map(([name, value]) => value !== undefined && value !== null && markup` ${raw(name)}="${value}"`)}`

/** The text of markup without promises among its values. */
export const markupText = (markup: Markup): string => (markup as HtmlEscapedString).toString()
