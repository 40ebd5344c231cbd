// Not named `html`, because the formatter would reformat the templates: spaces between inline elements are visible.
import { html as markup, raw } from 'hono/html'
import { cardModel, chooseImage, imageFit, imageSizes, toDisplayUrl, type CardImage } from '../../card/index.js'
import type { PageData, PageQuery } from '../../query/index.js'
import { attributesMarkup, markupText } from './attributes-markup.js'
import { staticCard } from './static-card.js'

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

const cardImage = ({ src, srcSet, width, height }: CardImage, alt: string) =>
  markup`<img${attributesMarkup({
    class: 'pp-image',
    src,
    width,
    height,
    alt,
    decoding: 'async',
    referrerpolicy: 'no-referrer',
    sizes: srcSet && imageSizes(),
    srcset: srcSet,
  })}>`
