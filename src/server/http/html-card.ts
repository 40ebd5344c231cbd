import type { PageData, PageQuery } from '../../query/index.js'

/**
 * No script, no frame, nothing from elsewhere but pictures: the card is only a link with a picture. Any page may frame it.
 */
export const CARD_HEADERS = {
  'content-security-policy':
    "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
}

export interface CardSources {
  /** The stylesheet of the components: everything in it applies to cards alone. */
  styles: string
  /** Address of the same preview as oEmbed, where there is one for everybody. */
  discovery: string | undefined
}

/** What a picture in a card needs to have. */
interface Picture {
  url: string
  width: number | null
  height: number | null
  type: string | null
  size_pretty: string | null
}

/**
 * For a page that has nothing but the card: in a frame it fills it, in a typeface for screens. Where the card is put into
 * another page, its stylesheet stands beside it, so it is never the only child there, and takes the typeface of that page.
 */
const FRAME_STYLES = 'body:has(> .page-preview:only-child){margin:0;font-family:system-ui,sans-serif}'

/**
 * A self-contained card of a page in HTML, for an iframe or a server-side include: the markup of the components, without
 * script. It is a whole document that does without the tags of one, for inside another page those would change that page.
 */
export function htmlCard(data: PageData, { url, element }: PageQuery, { styles, discovery }: CardSources): string {
  const { host, pathname } = new URL(url)
  const name = host.replace(/^www\./, '')
  const address = `${name}${pathname}`.replace(/\/$/, '')
  const title = escape(data.title ?? address)
  const picture = data.screenshot ?? webPicture(data.image)
  const alt = `${data.screenshot ? 'Screenshot' : 'Picture'} of ${name}`
  return `<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>${discovery ? `\n<link rel="alternate" type="application/json+oembed" href="${escape(discovery)}" title="${title}">` : ''}
<style>${[styles, FRAME_STYLES].join('\n').replaceAll('</', '<\\/')}</style>
<article class="page-preview" data-layout="card" data-state="ready"${languageOf(data)}${propertiesOf(data, element)}>
<div class="pp-media">${picture ? imageOf(picture, alt) : letterOf(name, 'mark')}</div>
<div class="pp-body">
<div class="pp-text" dir="auto"><a class="pp-link" href="${escape(url)}" target="_top" rel="noopener"><span class="pp-title">${title}</span><span class="pp-cover"></span></a><br><span class="pp-description">${escape(data.description ?? address)}</span></div>
<div class="pp-foot"><span class="pp-site">${iconOf(data.logo) ?? letterOf(name, 'icon')}<bdi class="pp-host">${escape(name)}</bdi></span>${picture ? factsOf(picture) : ''}</div>
</div>
</article>
`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

/** Only what an `<img>` can be pointed at. */
const webPicture = (media: PageData['image']): Picture | undefined =>
  media && /^https?:\/\//i.test(media.url) ? media : undefined

const languageOf = ({ lang }: PageData) => (lang ? ` lang="${escape(lang)}"` : '')

function propertiesOf({ screenshot }: PageData, element: string | undefined): string {
  const properties = [
    screenshot && `--pp-media-background:${screenshot.background_color}`,
    element && '--pp-fit:contain;--pp-position:center',
  ].filter(Boolean)
  return properties.length ? ` style="${escape(properties.join(';'))}"` : ''
}

/** 16:10 until it is known, as in the components. */
const imageOf = ({ url, width, height }: Picture, alt: string) =>
  `<img class="pp-image" src="${escape(url)}" width="${width ?? 1280}" height="${height ?? 800}" alt="${escape(alt)}" decoding="async" referrerpolicy="no-referrer">`

/** Only one that is known to answer: without script nothing can take its place. */
function iconOf(logo: PageData['logo']): string | undefined {
  const picture = webPicture(logo)
  return picture?.type
    ? `<img class="pp-icon" src="${escape(picture.url)}" width="16" height="16" alt="" referrerpolicy="no-referrer">`
    : undefined
}

const letterOf = (name: string, part: 'mark' | 'icon') =>
  `<span class="pp-${part}" aria-hidden="true">${escape(name.charAt(0).toUpperCase())}</span>`

function factsOf({ width, height, type, size_pretty: size }: Picture): string {
  const facts = [
    width && height && `${width} × ${height}`,
    type && (type === 'webp' ? 'WebP' : type.toUpperCase()),
    size,
  ]
  const known = facts.filter((fact) => typeof fact === 'string')
  return known.length
    ? `<span class="pp-meta" dir="ltr">${known.map((fact) => `<span>${escape(fact)}</span>`).join('')}</span>`
    : ''
}
