/** What a `robots.txt` says to the agents that it names. */
export interface RobotsRules {
  /** In the order of the file. */
  paths: readonly PathRule[]
  /** Milliseconds between two visits; 0 if it says nothing. */
  crawlDelayMs: number
}

interface PathRule {
  isAllowed: boolean
  /** The start of a path with its query, in which `*` stands for anything, and `$` at the end for the end of the path. */
  pattern: string
}

/** More is hostile, and would keep the main thread busy. */
const MAX_LINES = 50_000
const MAX_RULES = 2_000
const MAX_PATTERN_CHARS = 2_000
/** Of all patterns with `*`: each may be searched for in the whole path. */
const MAX_WILDCARD_CHARS = 10_000
const MAX_CRAWL_DELAY_MS = 10_000

/**
 * Reads the groups of a `robots.txt` that name one of the agents. A group for `*` is meant for crawlers, and a preview is requested by
 * a person.
 *
 * @param agents  Product tokens, in lower case.
 * @see           https://www.rfc-editor.org/rfc/rfc9309.html#section-2.2
 */
export function parseRobots(text: string, agents: readonly string[]): RobotsRules {
  const paths: PathRule[] = []
  let crawlDelayMs = 0
  let wildcardChars = 0
  let isOurs = false
  /** Whether the line before named an agent too: then both have the same rules. */
  let isNaming = false
  let lines = 0
  for (const [line] of text.replace(/^\uFEFF/, '').matchAll(/[^\r\n]+/g)) {
    if (++lines > MAX_LINES) break
    const [name, value] = fieldOf(line)
    if (name === 'user-agent') {
      isOurs = (isNaming && isOurs) || agents.includes(productOf(value))
      isNaming = true
    } else if (name === 'allow' || name === 'disallow') {
      isNaming = false
      if (!isOurs || value === '' || value.length > MAX_PATTERN_CHARS || paths.length >= MAX_RULES) continue
      if (value.includes('*') && (wildcardChars += value.length) > MAX_WILDCARD_CHARS) continue
      paths.push({ isAllowed: name === 'allow', pattern: normalizePath(value) })
    } else if (name === 'crawl-delay') {
      isNaming = false
      if (isOurs && /^\d{1,9}(?:\.\d{1,9})?$/.test(value)) crawlDelayMs = Math.max(crawlDelayMs, Number(value) * 1_000)
    }
  }
  return { paths, crawlDelayMs: Math.min(crawlDelayMs, MAX_CRAWL_DELAY_MS) }
}

function fieldOf(line: string): [name: string, value: string] {
  const [text = ''] = line.split('#', 1)
  const colon = text.indexOf(':')
  return colon < 0 ? ['', ''] : [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()]
}

/** The name of an agent without its version. */
const productOf = (value: string) => value.split('/', 1).join().trim().toLowerCase()

/** Whether the rules let a page be visited: the longest pattern that matches decides, and of two as long the one that allows. */
export function allowsPath({ paths }: RobotsRules, { pathname, search }: URL): boolean {
  if (paths.length === 0) return true
  const path = normalizePath(pathname + search)
  let longest = -1
  let isAllowed = true
  for (const rule of paths) {
    const { length } = rule.pattern
    if (length < longest || (length === longest && isAllowed) || !matchesPath(rule.pattern, path)) continue
    longest = length
    isAllowed = rule.isAllowed
  }
  return isAllowed
}

function matchesPath(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [start = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(start)) return false
  const end = isWhole ? parts.pop() : undefined
  let at = start.length
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!isWhole) return true
  return end === undefined ? path.length === at : path.length - end.length >= at && path.endsWith(end)
}

const UNRESERVED = /^[\w.~-]$/

/** Equal paths compare equal: https://www.rfc-editor.org/rfc/rfc9309.html#section-2.2.2 */
const normalizePath = (path: string): string =>
  path
    .replace(/%[\da-f]{2}/gi, (code) => {
      const char = String.fromCharCode(Number.parseInt(code.slice(1), 16))
      return UNRESERVED.test(char) ? char : code.toUpperCase()
    })
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
