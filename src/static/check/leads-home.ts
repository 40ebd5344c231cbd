const INDEX = /^\/(index\.\w{1,5}|home|start|main)?\/?$/i
const LOCALE = /^\/([a-z]{2})([-_][a-z]{2})?(?=\/|$)/i
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/**
 * Whether a link to a page now leads to the home page of its site, as sites do with pages that they removed. A link shortener
 * leads to other sites, and may lead home.
 */
export function leadsHome(from: string, to: string): boolean {
  const [source, target] = [new URL(from), new URL(to)]
  return isSameSite(siteOf(source), siteOf(target)) && isHome(target) && !isHome(source)
}

const isHome = ({ pathname, search }: URL) => INDEX.test(withoutLocale(pathname) || '/') && search === ''

/** Other paths of two letters are sections, such as `/tv`. */
const withoutLocale = (pathname: string) =>
  pathname.replace(LOCALE, (locale, language: string) => (languages.of(language) ? '' : locale))

const siteOf = ({ hostname }: URL) => hostname.replace(/^www\./, '')

const isSameSite = (one: string, other: string) =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
