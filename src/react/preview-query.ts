import { parseQuery, type PageData, type PageQuery } from '../query/index.js'

export type PictureField = 'screenshot' | 'image' | 'logo'

/** One query as a preview asks it: JSON for the facts, and maybe an address for the picture itself. */
export interface PreviewQuery {
  /** Without `embed` and `filter`, which would change what others read under the same key. */
  json: PageQuery
  /** Only when a picture is embedded: the query for it, and the field of the answer that tells of it. */
  embed: { query: PageQuery; field: PictureField } | undefined
  filter: string | undefined
}

const FIELD_BY_PATH: Readonly<Record<string, PictureField | undefined>> = {
  true: 'screenshot',
  screenshot: 'screenshot',
  'screenshot.url': 'screenshot',
  image: 'image',
  'image.url': 'image',
  logo: 'logo',
  'logo.url': 'logo',
}

/** @throws {PageError} as `parseQuery` does. */
export function previewQuery(words: PageQuery): PreviewQuery {
  const { query: read } = parseQuery(words)
  const field = FIELD_BY_PATH[String(read.embed)]
  const lacksScreenshot = field === 'screenshot' && !read.screenshot
  // Read once more, for an embedded screenshot brings its own `ttl` and `staleTtl` along.
  const query = lacksScreenshot ? parseQuery({ ...read, screenshot: true }).query : read
  const { embed: _, filter, ...json } = query
  return { json, embed: field && { query, field }, filter: filter as string | undefined }
}

/** Keeps only the dotted paths of a comma list. */
export function filterData(data: PageData, filter: string): PageData {
  return pick({ ...data }, filter.split(','))
}

function pick(from: Record<string, unknown>, paths: string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.')
    const value = from[name]
    if (!rest.length || typeof value !== 'object' || !value) kept[name] = value
    else kept[name] = { ...(kept[name] as object), ...pick({ ...value }, [rest.join('.')]) }
  }
  return kept
}
