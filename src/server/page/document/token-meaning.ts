/** What the tokens of `class`, `id` or `data-testid` say about their element. */
export interface TokenMeaning {
  isByline: boolean
  isDate: boolean
  isModified: boolean
  isTitle: boolean
  /** Whether it stands beside the content. */
  isAside: boolean
  /** Whether it holds what belongs to the whole site. */
  isSidebar: boolean
  /** Whether it is the footer of the page. */
  isPageFooter: boolean
  /** Whether it holds comments, ads or links to other pages rather than the content of this one. */
  isUnrelated: boolean
}

const MAX_TOKENS_CHARS = 2_000
/** A list with more tokens consists of utility classes. */
const MAX_TOKENS = 40
const MAX_TOKEN_CHARS = 100
/** Pages repeat a few lists of classes. */
const MAX_KNOWN = 1_000

export const NOTHING: TokenMeaning = {
  isByline: false,
  isDate: false,
  isModified: false,
  isTitle: false,
  isAside: false,
  isSidebar: false,
  isPageFooter: false,
  isUnrelated: false,
}

/** Most lists have no meaning: one test of the list is cheaper than a test of each token. */
const HINT =
  /by[-_]?line|written|posted|author|auteur|autor|writer|report|journalist|columnist|contributor|verfasser|firma|skribent|forfatter|yazar|submitted|date|publi|time|modified|lastmod|title|headline|p[-_]?name|first[-_]?heading|[ck]omm?ent|reacties|footer|colophon|rail|column|sidenav|recent|latest|disqus|respond|replies|related|recommend|more[-_]?[sapn]|most[-_]?[rp]|(?:^|[-_\s])ad|sponsor|promo|taboola|outbrain|popular|trending|review|testimonial|sidebar|widget|postprofile|post-profile|userinfo|user-profile|message-user/i
/** As in `topAd`. */
const CAMEL_CASE_AD = /[a-z\d]Ad/

const words = (list: string) => new Set(list.split(' '))

const BYLINES = words('byline bylines dateline submitted')
const AUTHORS = words(
  'author authors auteur auteurs autor autora autore autores autoria writer reporter journalist columnist contributor verfasser firma skribent forfatter yazar',
)
/** Last parts of tokens of an element whose text is the name of an author: `author-name`. */
const NAME_SUFFIXES = words('name names link links text list fn by block info meta details wrapper')
const NON_BYLINES = words(
  'comment comments reply quote teaser related review reviews testimonial avatar image photo img pic icon social bio about date time role job location twitter email follow',
)
const DATES = words('date published publish pubdate posted time timestamp dateline')
/** Of what a page is about: the birthday of a person, the beginning of an event. */
const EVENTS = words('bday dday dtstart dtend')
const MODIFIED = words('updated modified lastmod lastmodified')
const TITLES = words(
  'entry-title post-title article-title story-title page-title content-title topic-title thread-title threadtitle question-title p-name entry-headline post-headline article-headline story-headline headline firstheading first-heading',
)

/** In forums, with the day that an author joined. */
const PROFILES = words('postprofile post-profile userinfo user-profile message-user')
const ASIDES = words('sidebar sidenav rail right-rail left-rail right-column left-column')
/** First or last parts of tokens: `sidebar-primary`, `blog-sidebar`. */
const SIDEBARS = words('sidebar sidebars')
/** What a page has or lacks, rather than what an element is: `sidebar-right` of a whole page, `has-sidebar`. */
const LAYOUTS = words('right left none open closed enabled disabled on off allowed both page layout template')
const PAGE_FOOTERS = words('footer site-footer page-footer global-footer main-footer colophon')
const COMMENTS = words(
  'comment comments commentlist kommentar kommentare commentaire commentaires comentario comentarios commento commenti reacties kommentarer komentarze',
)
/** First parts of tokens. */
const UNRELATED_PREFIXES = words('related recommended recommendations trending taboola outbrain sponsored promoted')
const UNRELATED_TOKENS = words(
  'comment comments commentlist comment-list comments-list comment-area comments-area comments-section comments-container comments-wrapper comment-thread comment-body comment-content disqus-thread respond replies more-stories more-articles more-posts more-news review-content review-item review-body reviewer reviewer-name most-read most-popular popular-posts popular-articles popular-stories reviews review-list reviews-list customer-reviews testimonials sponsor promo widget-recent-entries widget-recent-comments recent-posts recent-comments latest-posts wp-block-latest-posts wp-block-latest-comments',
)
const ADS = words('ad ads advert adverts advertisement advertisements advertising')
const AD_SUFFIXES = words(
  'container slot unit wrapper wrap box block banner placeholder zone area inner label video player top bottom',
)
/** `has-ads` describes the page, `no-ads` the opposite. */
const CONDITIONS = words('has no with without show hide is allow enable can open')

/** Reads the classes of one document, and caches their meanings. */
export class TokenReader {
  readonly #known = new Map<string, TokenMeaning>()

  read(list: string): TokenMeaning {
    const known = this.#known.get(list)
    if (known) return known
    const meaning = readTokens(list)
    if (this.#known.size < MAX_KNOWN) this.#known.set(list, meaning)
    return meaning
  }
}

/** Reads a list without a cache, because identifiers rarely repeat. */
export function readTokens(list: string): TokenMeaning {
  const short = list.slice(0, MAX_TOKENS_CHARS)
  if (!HINT.test(short) && !CAMEL_CASE_AD.test(short)) return NOTHING
  const tokens = short.split(/\s+/).slice(0, MAX_TOKENS).map(partsOf)
  const isSidebar = tokens.some(isSidebarToken)
  const isEvent = tokens.some((parts) => EVENTS.has(parts.join()))
  return {
    isByline: tokens.some(isByline),
    isDate: !isEvent && tokens.some((parts) => parts.some((part) => DATES.has(part)) && !isModified(parts)),
    isModified: !isEvent && tokens.some(isModified),
    isTitle: tokens.some((parts) => TITLES.has(parts.join('-'))),
    isAside: isSidebar || isWidget(tokens),
    isSidebar,
    isPageFooter: tokens.some((parts) => PAGE_FOOTERS.has(parts.join('-'))),
    isUnrelated: tokens.some(isUnrelated),
  }
}

/** `['article', 'byline', 'name']` of `article__bylineName`. */
const partsOf = (token: string): string[] =>
  token
    .slice(0, MAX_TOKEN_CHARS)
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/by[-_]line/g, 'byline')
    .split(/[-_]+/)

function isByline(parts: readonly string[]): boolean {
  if (parts.some((part) => NON_BYLINES.has(part))) return false
  if (parts.some((part) => BYLINES.has(part))) return true
  if (parts.at(-1) === 'by') return ['written', 'authored', 'posted'].includes(parts.at(-2) ?? '')
  const at = parts.findLastIndex((part) => AUTHORS.has(part))
  return at >= 0 && parts.slice(at + 1).every((part) => NAME_SUFFIXES.has(part))
}

/** Some publishing systems call each part of a page a widget, and Blogger those with the posts and with the name of the blog, too. */
const isWidget = (tokens: readonly (readonly string[])[]): boolean => {
  const has = (name: string) => tokens.some((parts) => parts.join() === name)
  return has('widget') && !has('blog') && !has('header')
}

const isModified = (parts: readonly string[]) => parts.some((part) => MODIFIED.has(part))

function isSidebarToken(parts: readonly string[]): boolean {
  if (ASIDES.has(parts.join('-')) || PROFILES.has(parts.join('-'))) return true
  if (CONDITIONS.has(parts[0]!) || LAYOUTS.has(parts.at(-1)!)) return false
  return SIDEBARS.has(parts[0]!) || SIDEBARS.has(parts.at(-1)!)
}

function isUnrelated(parts: readonly string[]): boolean {
  const [first = ''] = parts
  if (CONDITIONS.has(first)) return false
  if (!LAYOUTS.has(parts.at(-1)!) && (COMMENTS.has(first) || COMMENTS.has(parts.at(-1)!))) return true
  if (UNRELATED_PREFIXES.has(first) || UNRELATED_TOKENS.has(parts.join('-'))) return true
  const at = parts.findIndex((part) => ADS.has(part))
  return at >= 0 && parts.slice(at + 1).every((part) => AD_SUFFIXES.has(part) || /^\d*$/.test(part))
}

/** The meaning of an element whose attributes have both meanings. */
export const mergeMeanings = (one: TokenMeaning, other: TokenMeaning): TokenMeaning => ({
  isByline: one.isByline || other.isByline,
  isDate: one.isDate || other.isDate,
  isModified: one.isModified || other.isModified,
  isTitle: one.isTitle || other.isTitle,
  isAside: one.isAside || other.isAside,
  isSidebar: one.isSidebar || other.isSidebar,
  isPageFooter: one.isPageFooter || other.isPageFooter,
  isUnrelated: one.isUnrelated || other.isUnrelated,
})
