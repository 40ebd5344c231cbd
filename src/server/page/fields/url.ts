import { PENALTY, type CandidateCheck } from '../candidate-check.js'
import { link, meta, rule, type Rule } from './rule.js'

export const urlRules: readonly Rule[] = [
  link('canonical'),
  meta('og:url', 'twitter:url'),
  rule('URL', ({ url }) => [url]),
]

export const urlChecks: readonly CandidateCheck[] = [
  {
    // Templates that state it on every page mean the site.
    reason: 'is the home page, but this is another page',
    weight: PENALTY,
    applies: ({ value }, { sources }) => isHomePage(value) && !mayBeHomePage(sources.url),
  },
  {
    reason: 'is on the machine of a developer',
    weight: PENALTY,
    applies: ({ value }, { sources }) => isLocal(value) && !isLocal(sources.url),
  },
]

/** Addresses of home pages below the root of a host: `/en`, `/de-at/`, `/index.html`. */
const HOME_PATH =
  /^\/(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?)?(?:(?:index|default|home|main|start|accueil|inicio|startseite)(?:\.[a-z]{2,5})?\/?)?$/i
/** Parameters that choose a page of a site whose pages have no path of their own, as in WordPress, Drupal and MediaWiki. */
const PAGE_PARAMETER =
  /^(?:p|page|page_id|id|q|title|node|article|story|post|topic|t|view|option|content|item|product)$/i

const LOCAL_HOST =
  /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1\]|10\.[\d.]+|192\.168\.[\d.]+|[^.]+)$|\.(?:local|localhost|internal)$/

/** Whether a URL is on the machine of its developer, or in a local network. */
export const isLocal = (url: string): boolean => LOCAL_HOST.test(new URL(url).hostname)

const isHomePage = (url: string): boolean => {
  const { pathname, search, hash } = new URL(url)
  return HOME_PATH.test(pathname) && !search && !hash
}

function mayBeHomePage(url: string): boolean {
  const { pathname, searchParams } = new URL(url)
  return HOME_PATH.test(pathname) && ![...searchParams.keys()].some((name) => PAGE_PARAMETER.test(name))
}
