import { Parser } from 'htmlparser2'
import { isJsonObject, readSloppyJson, type MetadataSources } from './document/index.js'
import { resolveUrl } from './values/index.js'

/** `application/json+oembed`, and `text/xml+oembed; charset=utf-8`. */
const TYPE = /^(?:application|text)\/(?:x-)?(json|xml)\+oembed\s*(?:;|$)/i
/** Of a page whose first document cannot be read, the other format is tried. */
const MAX_DOCUMENTS = 2

/**
 * The URLs of the oEmbed documents that a page links to; JSON before XML.
 *
 * @see  https://oembed.com/#section4
 */
export function findOembedUrls({ links, baseUrl, url }: Pick<MetadataSources, 'links' | 'baseUrl' | 'url'>): string[] {
  const found = links.flatMap(({ href, type }) => {
    const [, format] = TYPE.exec(type) ?? []
    const address = format && resolveUrl(href, { baseUrl, url })
    return address ? [{ address, isJson: format?.toLowerCase() === 'json' }] : []
  })
  const sorted = [...found.filter(({ isJson }) => isJson), ...found.filter(({ isJson }) => !isJson)]
  return [...new Set(sorted.map(({ address }) => address))].slice(0, MAX_DOCUMENTS)
}

/**
 * Reads an oEmbed document, whatever its media type states: JSON or XML.
 *
 * @param url  Of the document; the URLs in it are relative to it.
 * @returns    Its strings by name, with the image of a photo as `thumbnail_url`; empty for any other document.
 */
export function readOembed(text: string, url: string): ReadonlyMap<string, string> {
  const values = /^[\s\uFEFF]*</.test(text) ? readXml(text) : readJson(text)
  const image = values.get('thumbnail_url') ?? (values.get('type') === 'photo' ? values.get('url') : undefined)
  const imageUrl = image === undefined ? undefined : resolveUrl(image, { baseUrl: url, url })
  values.delete('thumbnail_url')
  return imageUrl === undefined ? values : values.set('thumbnail_url', imageUrl)
}

function readJson(text: string): Map<string, string> {
  const document = readSloppyJson(text).find(isJsonObject) ?? {}
  return new Map(Object.entries(document).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

const MAX_XML_ELEMENTS = 100

/** The texts of the elements directly within `<oembed>`. */
function readXml(text: string): Map<string, string> {
  const values = new Map<string, string>()
  const open: string[] = []
  const parser = new Parser(
    {
      onopentag: (name) => void open.push(name.toLowerCase()),
      ontext(part) {
        const [root, name] = open
        if (root === 'oembed' && name !== undefined && open.length === 2 && values.size < MAX_XML_ELEMENTS)
          values.set(name, (values.get(name) ?? '') + part)
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true },
  )
  parser.end(text)
  // Some servers write `author-name`.
  const named = [...values].map(([name, value]) => [name.replaceAll('-', '_'), value.trim()] as const)
  return new Map([...named, ...Array.from(values, ([name, value]) => [name, value.trim()] as const)])
}
