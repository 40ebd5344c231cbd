// Apart from the card, because screenshots alone need no more of it.

import { canParseUrl, completeUrl } from '../query/written-url.js'
import type { PageData, PageState } from '../query/index.js'
import type { CardImage } from './choose-image.js'

/** A page's URL in the forms that a card shows. */
export interface DisplayUrl {
  /** `undefined` unless the URL is http(s): any other scheme must not become a link. */
  href: string | undefined
  /** Host without `www.`; the URL as written when it cannot be parsed. */
  host: string
  /** Host and path: `example.com/blog`. */
  text: string
  /** First letter of the host in upper case, for a page without an icon. */
  letter: string
}

/** Never throws: a text that is not an http(s) URL, with or without its scheme, is displayed unchanged. */
export function toDisplayUrl(written: string): DisplayUrl {
  const url = completeUrl(written)
  if (!/^https?:/i.test(url) || !canParseUrl(url)) return { href: undefined, host: url, text: url, letter: '?' }
  const { host: fullHost, pathname } = new URL(url)
  const host = fullHost.replace(/^www\./, '')
  return { href: url, host, text: (host + pathname).replace(/\/$/, ''), letter: host.charAt(0).toUpperCase() }
}

/**
 * In these states, title and description belong to what the page showed instead of its content. The service has the same list for
 * captures, because this one is not a public name of the package.
 */
export const STATES_WITHOUT_CONTENT: readonly PageState[] = ['bot-check', 'error-page', 'login']

/** Title and description, unless they are not those of the page's content. */
export const ownTexts = (page: PageData = {}): Pick<PageData, 'title' | 'description'> =>
  page.state && STATES_WITHOUT_CONTENT.includes(page.state) ? {} : page

/** English alternative text of the image of a page without a title, by kind. */
export const englishAlt = {
  screenshot: (host: string): string => `Screenshot of ${host}`,
  image: (host: string): string => `Picture of ${host}`,
} as const

export interface ImageAltInput {
  displayUrl: DisplayUrl
  /** Absent before the first result and after a failure. */
  page: PageData | undefined
  image: CardImage | undefined
  /** Alternative text of the image. Default: the one that the page states, else its title, else a text that names the host. */
  alt?: string | undefined
  /** The texts that name the host. Default: English. */
  messages?: Readonly<Partial<Record<'screenshot' | 'image', (host: string) => string>>> | undefined
}

/** The alternative text of the image of a card, or of a screenshot alone. */
export function imageAlt({ displayUrl, page, image, alt, messages }: ImageAltInput): string {
  const kind = image?.isScreenshot === false ? 'image' : 'screenshot'
  return alt ?? image?.media?.alt ?? ownTexts(page).title ?? (messages?.[kind] ?? englishAlt[kind])(displayUrl.host)
}

/** A locale that `Intl` accepts: `de_DE` becomes `de-DE`, an invalid one `en`. */
export function canonicalLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0]!
  } catch {
    return 'en'
  }
}
