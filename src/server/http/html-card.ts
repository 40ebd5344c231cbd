// Not named `html`, because Prettier would reformat the templates: spaces between inline elements are visible.
import { html as markup, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { cardModel, chooseImage, imageFit, toDisplayUrl, type CardImage, type CardModel } from '../../card/index.js'
import type { PageData, PageQuery } from '../../query/index.js'

/** The card needs no script, no frame and no origin but those of its images. Any page may frame it. */
export const CARD_HEADERS = {
  'content-security-policy':
    "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
}

export interface CardSources {
  /** The stylesheet of the components; all of its rules apply to cards alone. */
  styles: string
  /** URL of the page's oEmbed document, for previews that are public. */
  discovery: string | undefined
}

type Markup = ReturnType<typeof markup>

/**
 * For a document that holds nothing but the card, as in a frame. A card that is included in another page has its stylesheet
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
  const displayUrl = toDisplayUrl(url)
  const card = cardModel({ displayUrl, state: 'ready', page, image: chooseImage(page) })
  const title = card.title ?? displayUrl.text
  const background = card.image?.background
  const cardDocument = markup`<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>${discovery && discoveryLink(discovery, title)}
<style>${styleText(styles)}</style>
<article class="page-preview" data-layout="card" data-state="${card.state}"${attribute('data-fit', imageFit({ element }))}${attribute('lang', data.lang)}${attribute('style', background && `--pp-media-background:${background}`)}>
<div class="pp-media">${card.image ? cardImage(card.image, card.alt) : cardIcon(card, 'mark')}</div>
<div class="pp-body">
<div class="pp-text" dir="auto"><a class="pp-link" href="${url}" target="_top" rel="noopener"><span class="pp-title">${title}</span><span class="pp-cover"></span></a><br><span class="pp-description">${card.description}</span></div>
<div class="pp-foot"><span class="pp-site">${cardIcon(card, 'icon')}<bdi class="pp-host">${displayUrl.host}</bdi></span>${imageDetailsLine(card)}</div>
</div>
</article>
`
  // A promise only if one of the values were a promise.
  return (cardDocument as HtmlEscapedString).toString()
}

/**
 * Without script nothing can replace an image that fails to load, so the card shows only http(s) images, and an icon only
 * when the service has fetched it (its type is known then).
 */
function withLoadableImages(data: PageData): PageData {
  const isWebUrl = (url: string) => /^https?:\/\//i.test(url)
  return {
    ...data,
    image: data.image && isWebUrl(data.image.url) ? data.image : null,
    logo: data.logo?.type && isWebUrl(data.logo.url) ? data.logo : null,
  }
}

const discoveryLink = (url: string, title: string) =>
  markup`\n<link rel="alternate" type="application/json+oembed" href="${url}" title="${title}">`

/** CSS cannot be escaped as HTML; only a closing tag could end the element early. */
const styleText = (styles: string) => raw([styles, FRAME_STYLES].join('\n').replaceAll('</', '<\\/'))

const attribute = (name: string, value: string | null | undefined) => value && markup` ${raw(name)}="${value}"`

const cardImage = ({ src, width, height }: CardImage, alt: string) =>
  markup`<img class="pp-image" src="${src}" width="${width}" height="${height}" alt="${alt}" decoding="async" referrerpolicy="no-referrer">`

const ICON_PIXELS = { icon: 16, mark: 64 } as const

/** The page's icon, small beside the host or large in place of a missing image; else the first letter of the host. */
function cardIcon({ icon, displayUrl }: CardModel, part: 'icon' | 'mark'): Markup {
  const pixels = ICON_PIXELS[part]
  return icon
    ? markup`<img class="pp-${part}" src="${icon}" width="${pixels}" height="${pixels}" alt="" referrerpolicy="no-referrer">`
    : markup`<span class="pp-${part}" aria-hidden="true">${displayUrl.letter}</span>`
}

const imageDetailsLine = ({ imageDetails }: CardModel) =>
  imageDetails.length > 0 &&
  markup`<span class="pp-meta" dir="ltr">${imageDetails.map((detail) => markup`<span>${detail}</span>`)}</span>`
