import type { PageData, PageQuery } from '../../query/index.js'

/** No script, no frame, nothing from elsewhere but pictures: the card is only a link with a picture. */
export const CARD_POLICY =
  "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/**
 * A self-contained card of a page in HTML, for an iframe or a server-side include: the markup of the components, without script.
 *
 * @param styles     The stylesheet of the components; everything in it applies to the card alone.
 * @param discovery  Address of the same preview as oEmbed.
 */
export function htmlCard(
  data: PageData,
  query: PageQuery,
  { styles, discovery }: { styles: string; discovery: string },
): string {
  const { host, pathname } = new URL(query.url)
  const name = host.replace(/^www\./, '')
  const address = `${name}${pathname === '/' ? '' : pathname}`
  const title = data.title ?? address
  const picture = data.screenshot ?? data.image
  const facts = data.screenshot ? factsOf(data.screenshot) : ''
  const background = data.screenshot ? ` style="--pp-media-background:${escape(data.screenshot.background_color)}"` : ''
  return `<!doctype html>
<html lang="${escape(data.lang ?? 'en')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<link rel="alternate" type="application/json+oembed" href="${escape(discovery)}" title="${escape(title)}">
<style>${styles.replaceAll('</', '<\\/')}</style>
</head>
<body style="margin:0">
<article class="page-preview" data-layout="card" data-state="ready"${background}>
<div class="pp-media">${picture ? imageOf(picture, name) : `<span class="pp-mark" aria-hidden="true">${escape(name.charAt(0).toUpperCase())}</span>`}</div>
<div class="pp-body">
<div class="pp-text"><a class="pp-link" href="${escape(query.url)}" target="_top" rel="noopener"><span class="pp-title">${escape(title)}</span><span class="pp-cover"></span></a><br><span class="pp-description">${escape(data.description ?? address)}</span></div>
<div class="pp-foot"><span class="pp-site"><span class="pp-icon" aria-hidden="true">${escape(name.charAt(0).toUpperCase())}</span><bdi class="pp-host">${escape(name)}</bdi></span>${facts}</div>
</div>
</article>
</body>
</html>
`
}

function imageOf(
  { url, width, height }: { url: string; width: number | null; height: number | null },
  name: string,
): string {
  const size = width && height ? ` width="${width}" height="${height}"` : ''
  return `<img class="pp-image" src="${escape(url)}"${size} alt="Screenshot of ${escape(name)}" decoding="async">`
}

function factsOf({ width, height, type, size_pretty: size }: NonNullable<PageData['screenshot']>): string {
  return `<span class="pp-meta" dir="ltr"><span>${width} × ${height}</span><span>${type.toUpperCase()}</span><span>${escape(size)}</span></span>`
}
