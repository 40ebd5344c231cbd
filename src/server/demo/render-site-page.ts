/** One page of the sample site, without the parts that all pages share. */
export interface SitePage {
  path: string
  title: string
  description: string
  /** The `og:type`. */
  type: 'website' | 'article' | 'product'
  lang: string
  dir?: 'rtl'
  /** The `og:image`; served at `/social/<name>.png`. */
  socialImage: { name: string; alt: string }
  /** Additional `<meta>` properties. @param origin Of the site, without a trailing slash. */
  properties?: (origin: string) => Readonly<Record<string, string>>
  /** @see https://schema.org/ */
  jsonLd: (origin: string) => Record<string, unknown>
  body: (now: Date) => string
}

export const NAME = 'Nightjar'

/** A moon above five reeds, which are also the bars of a sound recording. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" aria-hidden="true"><rect width="64" height="64" rx="15" fill="#16203a"/><circle cx="43" cy="20" r="8.5" fill="#f7e3b5"/><g fill="#f0a35c"><rect x="11" y="34" width="5" height="18" rx="2.5"/><rect x="20" y="24" width="5" height="28" rx="2.5"/><rect x="29" y="38" width="5" height="14" rx="2.5"/><rect x="38" y="33" width="5" height="19" rx="2.5"/><rect x="47" y="41" width="5" height="11" rx="2.5"/></g></svg>`

const NAVIGATION = [
  ['/article', 'Journal'],
  ['/pricing', 'Membership'],
  ['/clock', 'Tonight'],
  ['/arabic', 'العربية'],
] as const

/** @param origin  Origin of the site, without a trailing slash; metadata needs absolute URLs. */
export function renderSitePage(page: SitePage, origin: string, now: Date): string {
  const imageUrl = `${origin}/social/${page.socialImage.name}.png`
  const jsonLd = { '@context': 'https://schema.org', ...page.jsonLd(origin) }
  const properties = {
    'og:site_name': NAME,
    'og:type': page.type,
    'og:title': page.title,
    'og:description': page.description,
    'og:url': `${origin}${page.path}`,
    'og:image': imageUrl,
    'og:image:type': 'image/png',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': page.socialImage.alt,
    'og:locale': page.lang === 'ar' ? 'ar_OM' : 'en_GB',
    ...page.properties?.(origin),
  }
  const names = {
    description: page.description,
    'twitter:card': 'summary_large_image',
    'twitter:title': page.title,
    'twitter:description': page.description,
    'twitter:image': imageUrl,
    'twitter:image:alt': page.socialImage.alt,
  }
  return `<!doctype html>
<html lang="${page.lang}"${page.dir ? ` dir="${page.dir}"` : ''}>
<head>
<meta charset="utf-8">
<title>${page.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f7f2e9">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0c1222">
${Object.entries(names)
  .map(([name, content]) => `<meta name="${name}" content="${content}">`)
  .join('\n')}
${Object.entries(properties)
  .map(([property, content]) => `<meta property="${property}" content="${content}">`)
  .join('\n')}
<link rel="canonical" href="${origin}${page.path}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="icon" href="/favicon.png" type="image/png" sizes="64x64">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="stylesheet" href="/site.css">
<script type="application/ld+json">${JSON.stringify(jsonLd)}</script>
</head>
<body>
${header(page.path)}
<main>${page.body(now)}</main>
${FOOTER}
</body>
</html>`
}

function header(path: string): string {
  const links = NAVIGATION.map(
    ([href, label]) => `<a href="${href}"${href === path ? ' aria-current="page"' : ''}>${label}</a>`,
  )
  return `<header class="bar" dir="ltr"><a class="brand" href="/">${logo}<span>${NAME}</span></a><nav aria-label="Pages">${links.join('')}</nav></header>`
}

const FOOTER = `<footer class="foot" dir="ltr"><p><strong>${NAME}</strong> is fictional, and so are its recorder, its people and its marsh. This is the sample site that comes with Page Preview, and it exists to be previewed.</p><nav aria-label="More pages"><a href="/">Home</a><a href="/article">Journal</a><a href="/pricing">Membership</a><a href="/clock">Tonight</a></nav></footer>`
