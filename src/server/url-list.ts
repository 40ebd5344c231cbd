import { canParseUrl } from '../query/written-url.js'
import { Parser } from 'htmlparser2'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { hasLongHost, queryLimits } from '../query/help/index.js'

/** Largest size of one file, decompressed: the limit of the protocol of sitemaps. */
export const MAX_LIST_BYTES = 52_428_800
/** The most URLs in all files together: as many as one sitemap may have. */
export const MAX_URLS = 50_000
const MAX_SITEMAPS = 1_000
/** A sitemap index names sitemaps; some sites have an index of indexes. */
const MAX_INDEX_DEPTH = 2

/** What one file lists. */
export interface ListFile {
  /** Pages as they are written, by a spelling that equal URLs share. */
  urls: ReadonlyMap<string, string>
  /** URLs of other sitemaps. */
  sitemaps: readonly string[]
}

/**
 * Reads a list with one URL per line, a sitemap or a sitemap index, each also compressed with gzip.
 *
 * @param from  Name of the first file, for `read` and for messages. The others are URLs.
 * @param read  Reads a file of at most `MAX_LIST_BYTES` as `parseListFile` does.
 * @returns     Each entry once, in order; they may be invalid URLs.
 * @throws      Error with a sentence when a file has no or too many URLs, or is no list; the errors of `read`.
 */
export async function readUrlList(from: string, read: (source: string) => Promise<ListFile>): Promise<string[]> {
  const found = new Map<string, string>()
  const visited = new Set<string>()

  const readFile = async (source: string, depth: number): Promise<void> => {
    if (visited.has(source)) return
    visited.add(source)
    if (visited.size > MAX_SITEMAPS) throw new Error(`${from} leads to more than ${MAX_SITEMAPS} sitemaps.`)
    const { urls, sitemaps } = await read(source)
    for (const [key, url] of urls) found.set(key, found.get(key) ?? url)
    if (found.size > MAX_URLS) throw new Error(`${from} leads to more than ${MAX_URLS} URLs. Split the list.`)
    if (sitemaps.length > 0 && depth >= MAX_INDEX_DEPTH)
      throw new Error(`${source} is a sitemap index that is nested too deeply. Pass this sitemap index alone.`)
    for (const sitemap of sitemaps) {
      if (!isUrl(sitemap))
        throw new Error(`${source} names the sitemap "${sitemap.slice(0, 200)}", which is not a URL.`)
      await readFile(sitemap, depth + 1)
    }
  }
  await readFile(from, 0)
  if (found.size === 0)
    throw new Error(`There are no URLs in ${from}: write one per line, or pass a sitemap with <url><loc>.`)
  return [...found.values()]
}

/**
 * Parses one file, which may take seconds.
 *
 * @param source  Its name, for messages.
 * @throws        Error with a sentence when it has too many URLs, or is no list.
 */
export async function parseListFile(bytes: Uint8Array, source: string): Promise<ListFile> {
  try {
    const text = decode(await decompressed(bytes))
    if (!/^\s*</.test(text)) return { urls: uniqueUrls(parseUrlList(text)), sitemaps: [] }
    const { urls, sitemaps } = parseSitemap(text, { maxUrls: MAX_URLS })
    return { urls: uniqueUrls(urls), sitemaps }
  } catch (cause) {
    throw new Error(`${source} cannot be read: ${messageOf(cause)}.`, { cause })
  }
}

function uniqueUrls(urls: Iterable<string>): Map<string, string> {
  const unique = new Map<string, string>()
  for (const url of urls) {
    const key = normalized(url)
    if (!unique.has(key)) unique.set(key, url)
    // One too many is as wrong as all of them.
    if (unique.size > MAX_URLS) break
  }
  return unique
}

async function decompressed(bytes: Uint8Array): Promise<Uint8Array> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return isGzip ? promisify(gunzip)(bytes, { maxOutputLength: MAX_LIST_BYTES }) : bytes
}

/** Windows PowerShell writes UTF-16. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

/** Two spellings of one URL are captured once. */
const normalized = (url: string) => (!hasLongHost(url) && canParseUrl(url) ? new URL(url).href : url)

export const isUrl = (source: string) => /^https?:\/\//i.test(source)
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')

/** A comment fills its line, or follows white space, because a URL may contain `#`. */
const COMMENT = /(^|\s)#.*/

/** The entries of a list with one URL per line, without comments and blank lines. */
export function* parseUrlList(text: string): Generator<string> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const url = line.replace(COMMENT, '').trim()
    if (url) yield url
  }
}

/** What a sitemap lists. */
interface Sitemap {
  /** URLs of pages. */
  urls: string[]
  /** URLs of other sitemaps. */
  sitemaps: string[]
}

/** A sitemap is three levels deep, and extensions add one or two. */
const MAX_DEPTH = 20
const CHUNK_CHARS = 65_536

/**
 * Parses a sitemap or a sitemap index. Entities that the document defines are not expanded.
 *
 * @param maxUrls  How many pages and sitemaps it may list.
 * @throws         Error whose message completes a sentence about the file: deeper nesting or more URLs than allowed.
 * @see            https://www.sitemaps.org/protocol.html
 */
export function parseSitemap(xml: string, { maxUrls }: { maxUrls: number }): Sitemap {
  const found: Sitemap = { urls: [], sitemaps: [] }
  const path: string[] = []
  let text = ''
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(localName(name))
        text = ''
        if (path.length > MAX_DEPTH) throw new Error('its elements are nested too deeply for a sitemap')
      },
      ontext(part) {
        if (path.at(-1) === 'loc' && text.length <= queryLimits.valueChars) text += part
      },
      onclosetag() {
        const [parent, name] = path.slice(-2)
        path.pop()
        const url = text.trim()
        if (name !== 'loc' || !url) return
        // Images and videos have a `loc` too, which is not the URL of a page.
        if (parent === 'url') found.urls.push(url)
        if (parent === 'sitemap') found.sitemaps.push(url)
        if (found.urls.length + found.sitemaps.length > maxUrls)
          throw new Error(`it has more than ${maxUrls} URLs; split the sitemap`)
      },
    },
    { xmlMode: true },
  )
  for (let at = 0; at < xml.length; at += CHUNK_CHARS) parser.write(xml.slice(at, at + CHUNK_CHARS))
  parser.end()
  return found
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
