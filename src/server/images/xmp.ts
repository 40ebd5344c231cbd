import { Parser } from 'htmlparser2'

/** What a PDF says about itself, as its author, or their program, wrote it; any of it may be meaningless. */
export interface DocumentInfo {
  title?: string | undefined
  author?: string | undefined
  description?: string | undefined
  /** BCP 47. */
  lang?: string | undefined
  /** ISO 8601. */
  createdAt?: string | undefined
}

/** A packet of metadata is a few kB; some have thousands of entries of an editing history after what is read. */
const MAX_PACKET_BYTES = 100_000
const MAX_VALUE_CHARS = 1_000

/** Elements whose text is read, with the field that it is. Lists such as `rdf:Seq` stand between element and text. */
const FIELDS: Readonly<Record<string, keyof DocumentInfo>> = {
  'dc:title': 'title',
  'dc:creator': 'author',
  'dc:description': 'description',
  'dc:language': 'lang',
  'xmp:createdate': 'createdAt',
}

/**
 * Reads the metadata that a PDF has as XML. Packets are stored without compression, so that programs find them without knowing the
 * format around them.
 *
 * @see  https://developer.adobe.com/xmp/docs/XMPSpecifications/
 */
export function readXmp(bytes: Uint8Array): DocumentInfo {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = buffer.indexOf('<x:xmpmeta')
  if (start < 0) return {}
  const values: Record<string, string[]> = {}
  let field: string | undefined
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const opened = FIELDS[name.toLowerCase()]
        if (opened) field = opened
        if (field && (opened || name.toLowerCase() === 'rdf:li')) (values[field] ??= []).push('')
        const createdAt = attributes['xmp:CreateDate']
        if (createdAt) (values.createdAt ??= []).push(createdAt)
      },
      ontext(text) {
        const list = field && values[field]
        if (list) list[list.length - 1] = `${list.at(-1)}${text}`.slice(0, MAX_VALUE_CHARS)
      },
      onclosetag(name) {
        if (name.toLowerCase() in FIELDS) field = undefined
        if (name === 'x:xmpmeta') parser.pause()
      },
    },
    { xmlMode: true },
  )
  parser.end(buffer.toString('utf8', start, start + MAX_PACKET_BYTES))
  const textsOf = (name: keyof DocumentInfo) =>
    (values[name] ?? []).map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)
  return {
    title: textsOf('title')[0],
    author: textsOf('author').slice(0, 10).join(', ') || undefined,
    description: textsOf('description')[0],
    lang: textsOf('lang')[0],
    createdAt: textsOf('createdAt')[0],
  }
}
