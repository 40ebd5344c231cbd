import { html as markup } from 'hono/html'
import { cardModel, filterData, imageFit, toDisplayUrl, type CardImage } from '../../../card/index.js'
import {
  attributesMarkup,
  markupText,
  staticCard,
  type Attributes,
  type Markup,
} from '../../../server/html-card/index.js'
import type { FrozenPreview } from './frozen-preview.js'
import { pictureMarkup } from './picture-markup.js'
import { imageFieldOf, type CardRequest } from './card-request.js'

export interface FrozenCard {
  request: CardRequest
  /** `undefined` where nothing is known about the page. */
  preview: FrozenPreview | undefined
  /** URL of the folder of assets. */
  assets: string
  /** The URL of the page as its author wrote it. */
  href: string
  /** What the author calls the page. */
  text: string | undefined
  /** Further attributes of the link. */
  link: Attributes
  /** Only phrasing content is allowed where the card is. */
  isPhrasing: boolean
}

/** Writes the complete card of a preview. */
export function frozenCard({ request, preview, assets, href, text, link, isPhrasing }: FrozenCard): string {
  const { query, filter, layout, theme, alt, facts, locale } = request
  const data = preview && (filter ? filterData(preview.data, filter) : preview.data)
  const displayUrl = toDisplayUrl(query.url)
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
    card: { ...card, icon: icon && assets + icon.name, imageDetails: facts ? card.imageDetails : [] },
    layout,
    linkText: (layout === 'inline' ? undefined : card.title) ?? text ?? displayUrl.text,
    link: { href, ...link },
    root: {
      'data-theme': theme === 'auto' ? undefined : theme,
      'data-fit': imageFit({ element: query.element, layout }),
      lang: data?.lang || undefined,
      'aria-label': text,
    },
    icon: { decoding: 'async' },
    image: image && pictureMarkup({ image, darkImage: preview?.darkImage, alt: card.alt, request, assets }),
    note: preview?.isStale ? dateNote(preview.date, locale) : undefined,
    footer: preview?.archiveUrl ? archiveLink(preview.archiveUrl) : undefined,
    isPhrasing,
    separator: ' ',
  })
  return markupText(html)
}

/** For the alternative text and the details of the image. */
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
function dateNote(date: string, locale = 'en'): Markup {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
  return markup`<span class="pp-note"><time datetime="${date}">${day}</time></span>`
}

const archiveLink = (href: string) =>
  markup`<a${attributesMarkup({ class: 'pp-archive', href, rel: 'noopener' })}>${new URL(href).host.replace(/^www\./, '')}</a>`
