const words = (list: string) => new Set(list.split(' '))

const MAX_HREF_CHARS = 500
const MAX_LABELS = 10

/** Hosts of ads, analytics and share buttons; their images and videos do not belong to the page. */
const TRACKERS = words(
  'doubleclick.net googlesyndication.com googleadservices.com google-analytics.com adnxs.com adsafeprotected.com scorecardresearch.com quantserve.com imrworldwide.com criteo.com criteo.net taboola.com outbrain.com amazon-adsystem.com mc.yandex.ru px.ads.linkedin.com bat.bing.com assets.pinterest.com platform.twitter.com addthis.com sharethis.com addtoany.com facebook.com/tr www.facebook.com/tr',
)

/** Segments of paths before an author. */
const AUTHOR_SEGMENTS = words(
  'by author authors auteur auteurs autor autoren autorin autores autori autore autora autorzy people staff contributor contributors columnist columnists writer writers reporter reporters editor editors journalist journaliste journalistes journalists profile profiles redakteur redakteure firma firmas skribent skribenter',
)

/** Unambiguous extensions only: `.au` may well be Australia. */
const FILES = {
  audio: /\.(mp3|m4a|aac|ogg|oga|opus|wav|flac)([?#]|$)/i,
  video: /\.(mp4|m4v|webm|mov|ogv|m3u8)([?#]|$)/i,
} as const

/** Whether a URL ends like the URL of an audio or video file. */
export const isFileOf = (kind: keyof typeof FILES, url: string): boolean => FILES[kind].test(url)

/** Whether a media URL belongs to an ad, to a service that counts visitors, or to a button of a network. */
export function isTracker(url: string): boolean {
  const start = url.slice(0, MAX_HREF_CHARS).replace(/^https?:/i, '')
  if (!start.startsWith('//')) return false
  const [host = '', path = ''] = start.slice(2).toLowerCase().split(/[/?#]/, 2)
  const labels = host.split('.').slice(-MAX_LABELS)
  return TRACKERS.has(`${host}/${path}`) || labels.some((_, at) => TRACKERS.has(labels.slice(at).join('.')))
}

const HOME_LINK = /^(?:\/|https?:\/\/[^/?#]{1,100}\/?)(?:[?#]|$)/i

/** Whether a link leads to the home page of a site, whichever that is. */
export const isHomeLink = (href: string): boolean => HOME_LINK.test(href)

const HOST = /^https?:\/\/([^/?#]{1,100})/i

/** Whether a link has no host, or the one of the page. */
export const isOfHost = (href: string, host: string): boolean =>
  (HOST.exec(href)?.[1] ?? host).toLowerCase().replace(/^www\./, '') === host.replace(/^www\./, '')

/** Whether a link leads to a folder that a page is in: to `/blog/` from `/blog/2024/story`. */
export function isFolderOf(href: string, pagePath: string): boolean {
  const path = pathOf(href)
  return path.startsWith('/') && path.endsWith('/') && path.length < pagePath.length && pagePath.includes(path)
}

/** Whether a link leads to the page itself. */
export function isLinkToPage(href: string, pagePath: string): boolean {
  const [path = ''] = pathOf(href).replace(/^\.\//, '/').split(/[?#]/, 1)
  return path.length > 1 && path.startsWith('/') && pagePath.endsWith(path)
}

const pathOf = (href: string) => href.slice(0, MAX_HREF_CHARS).replace(/^https?:\/\/[^/]*/i, '')

/** Whether a link leads to the page of an author: `/author/jane-doe`. */
export function isAuthorPage(href: string): boolean {
  const segments = href.slice(0, MAX_HREF_CHARS).split(/[?#]/, 1).join().replace(/\/$/, '').split('/')
  return segments.length > 1 && segments.at(-1) !== '' && AUTHOR_SEGMENTS.has(segments.at(-2)!.toLowerCase())
}
