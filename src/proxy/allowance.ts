import { PageError } from '../query/index.js'

/** What may go through a proxy. Where both targets and origins are given, both have to fit. */
export interface Allowance {
  /**
   * Hosts of the pages that may be previewed, by whoever asks: `example.com`, `*.example.com` for all names below it,
   * `example.com:8080` for a port that is not the scheme's own, `*` for every page.
   */
  targets?: readonly string[] | undefined
  /**
   * Origins of the pages that may ask, for every target: `https://example.com`, or `self` for the proxy's own. Told by
   * `Sec-Fetch-Site`, which browsers send over https and to localhost, else by `Origin` or `Referer`. It keeps other
   * people's pages out, not their programs.
   */
  origins?: readonly string[] | undefined
  /** Words that cost the service more than others, or are sent on to the target page. Default: none of them. */
  words?: readonly ('force' | 'headers')[] | undefined
}

/** The rules of one proxy. */
export interface Rules {
  /** Only where whoever asks does matter. */
  origins: readonly string[] | undefined
  allowsWord(word: 'force' | 'headers'): boolean
  allowsTarget(url: string): boolean
}

/** @throws  {PageError} `EINVALQUERY` for an allowance that says neither who may ask nor for what, or that cannot be read. */
export function readAllowance({ targets, origins, words = [] }: Allowance): Rules {
  if (!targets && !origins) throw refused('allow', 'needs targets or origins')
  const patterns = targets?.map(readPattern)
  return {
    origins: origins?.map(readOrigin),
    allowsWord: (word) => words.includes(word),
    allowsTarget(url) {
      const { host } = new URL(url)
      return !patterns || patterns.some((isHost) => isHost(host))
    },
  }
}

function readPattern(pattern: string): (host: string) => boolean {
  if (pattern === '*') return () => true
  const isBelow = pattern.startsWith('*.')
  const address = `https://${isBelow ? pattern.slice(2) : pattern}`
  if (!URL.canParse(address) || new URL(address).pathname !== '/' || pattern.endsWith('/'))
    throw refused('allow.targets', `has "${pattern}", which is no host`)
  const { host: allowed } = new URL(address)
  return isBelow ? (host) => host.endsWith(`.${allowed}`) : (host) => host === allowed
}

function readOrigin(origin: string): string {
  if (origin === 'self') return origin
  const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin
  if (!isOrigin) throw refused('allow.origins', `has "${origin}", which is no origin like https://example.com`)
  return origin
}

const refused = (option: string, reason: string) =>
  new PageError('EINVALQUERY', `${option} ${reason}.`, { data: { [option]: reason } })
