// The templates are not named `html`, because the formatter would reformat them: spaces between inline elements are visible.
import { html as markup, raw } from 'hono/html'
import type { CardModel, Layout } from '../../card/index.js'
import { attributesMarkup, type Attributes, type Markup } from './attributes-markup.js'

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
  /** The attributes of an icon that is an image; default: only those that every icon has. */
  icon?: Attributes
  /** The image, with the class `pp-image`. Default: the page's icon, or the first letter of its host. */
  image: Markup | undefined
  /** On the image, such as the date of a card whose page no longer works. */
  note?: Markup | undefined
  /** At the end of the footer, in place of the details of the image. */
  footer?: Markup | undefined
  /** Uses only elements that are allowed in a paragraph; others would end it. */
  isPhrasing?: boolean
  /** Between parts that else only the stylesheet sets apart. Default: nothing. */
  separator?: ' '
}

const ICON_PIXELS = { icon: 16, mark: 64 } as const

/** Writes a card without script, with the markup and the class names of the React component. */
export function staticCard(content: StaticCard): Markup {
  const { card, layout, root } = content
  const attributes = attributesMarkup({
    class: 'page-preview',
    'data-layout': layout,
    'data-state': card.state,
    ...root,
    ...(layout === 'inline' && content.link),
  })
  if (layout === 'inline') return markup`<a${attributes}>${icon(content, 'icon')}<span>${content.linkText}</span></a>`
  const tag = tagIn(content, layout === 'image' ? 'figure' : 'article')
  const div = tagIn(content, 'div')
  return markup`<${tag}${attributes}>
<${div} class="pp-media">${content.image ?? icon(content, 'mark')}${content.note}</${div}>
${layout === 'image' ? footer(content, link(content, 'pp-link pp-host'), 'figcaption') : body(content)}
</${tag}>`
}

const tagIn = ({ isPhrasing }: StaticCard, tag: string) => raw(isPhrasing ? 'span' : tag)

function body(content: StaticCard): Markup {
  const { card } = content
  const div = tagIn(content, 'div')
  return markup`<${div} class="pp-body">
<${div} class="pp-text" dir="auto">${link(content, 'pp-link')}<br><span class="pp-description">${card.description}</span></${div}>
${footer(content, markup`<bdi class="pp-host">${card.displayUrl.host}</bdi>`, 'div')}
</${div}>`
}

function footer(content: StaticCard, site: Markup, tagName: string): Markup {
  const { separator = '' } = content
  const tag = tagIn(content, tagName)
  return markup`<${tag} class="pp-foot"><span class="pp-site">${icon(content, 'icon')}${separator}${site}</span>${separator}${content.footer ?? imageDetails(content.card, separator)}</${tag}>`
}

/** The only link of a card; its cover makes the whole card clickable. */
const link = (content: StaticCard, className: string) =>
  markup`<a${attributesMarkup({ class: className, ...content.link })}><span class="pp-title">${content.linkText}</span><span class="pp-cover"></span></a>`

/** The page's icon, small next to the host or large in place of a missing image; else the first letter of the host. */
function icon({ card, icon: attributes }: StaticCard, part: 'icon' | 'mark'): Markup {
  const pixels = ICON_PIXELS[part]
  return card.icon
    ? markup`<img${attributesMarkup({ class: `pp-${part}`, src: card.icon, width: pixels, height: pixels, alt: '', ...attributes })}>`
    : markup`<span class="pp-${part}" aria-hidden="true">${card.displayUrl.letter}</span>`
}

const imageDetails = ({ imageDetails }: CardModel, separator: string) =>
  imageDetails.length > 0 &&
  markup`<span class="pp-meta" dir="ltr">${imageDetails.map((detail, index) => markup`${index > 0 && separator}<span>${detail}</span>`)}</span>`
