/** One thing that a page describes, schema.org's way. */
export interface JsonLdNode {
  readonly types: readonly string[]
  /** All strings under a path of properties: `texts('author', 'name')`; a string in the place of an object is its last property. */
  texts(...path: string[]): string[]
}

/** What a page describes, sorted by what it is to the page. */
export interface JsonLd {
  /** What the page is about; nothing when it describes many things of a kind and says of none that it is the page's own. */
  subjects: readonly JsonLdNode[]
  /** The page and its site. */
  pages: readonly JsonLdNode[]
  /** Whatever else: organisations, people, breadcrumbs. */
  others: readonly JsonLdNode[]
}

type Properties = Readonly<Record<string, unknown>>

const MAX_NODES = 300
const MAX_DEPTH = 4
const MAX_TEXTS = 20
const MAX_TEXT_CHARS = 10_000

const IS_SUBJECT =
  /(Article|Posting|Report|Episode|VideoObject|AudioObject|Product|Vehicle|Car|Recipe|Movie|Book|Event|Course|Review|SoftwareSourceCode|Application|MusicRecording|CreativeWork|Question|Photograph|SocialMediaPosting|Dataset|JobPosting)$/
const IS_MEDIA = /^(ImageObject|MediaObject)$/
const IS_PAGE = /(Page|WebSite)$/

/**
 * Reads the JSON-LD scripts of a page. A script that is no JSON is passed over: a page is more than its scripts.
 *
 * @param addresses  What the page calls itself; a thing with one of these addresses is the page's subject.
 */
export function readJsonLd(scripts: readonly string[], addresses: readonly string[]): JsonLd {
  const found: Properties[] = []
  for (const script of scripts) collectNodes(parseScript(script), found, 0)
  const byId = new Map(found.filter((node) => typeof node['@id'] === 'string').map((node) => [node['@id'], node]))
  const nodes = found.map((node) => createNode(node, byId))
  const isSubject = isA(IS_SUBJECT)
  const isPage = isA(IS_PAGE)
  return {
    subjects: [...chooseSubjects(nodes.filter(isSubject), addresses), ...single(nodes.filter(isA(IS_MEDIA)))],
    pages: nodes.filter(isPage),
    others: nodes.filter((node) => !isSubject(node) && !isPage(node)),
  }
}

const isA =
  (pattern: RegExp) =>
  ({ types }: JsonLdNode) =>
    types.some((type) => pattern.test(type))

function chooseSubjects(nodes: readonly JsonLdNode[], addresses: readonly string[]): readonly JsonLdNode[] {
  const own = new Set(addresses.map(plainAddress))
  const named = nodes.filter((node) =>
    [...node.texts('url'), ...node.texts('mainEntityOfPage', '@id'), ...node.texts('@id')].some((address) =>
      own.has(plainAddress(address)),
    ),
  )
  if (named.length) return named
  return nodes.filter(({ types }) => nodes.filter((other) => other.types.join() === types.join()).length === 1)
}

const single = (nodes: readonly JsonLdNode[]) => (nodes.length === 1 ? nodes : [])
const plainAddress = (address: string) =>
  address
    .slice(0, MAX_TEXT_CHARS)
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split(/[#?]/, 1)
    .join()
    .replace(/\/$/, '')

function parseScript(script: string): unknown {
  // Comments, CDATA marks and semicolons stand around it.
  const start = script.search(/[{[]/)
  const end = Math.max(script.lastIndexOf('}'), script.lastIndexOf(']'))
  const json = script.slice(Math.max(start, 0), end + 1)
  for (const text of [json, json.replace(CONTROLS, ' ')]) {
    try {
      return JSON.parse(text)
    } catch {
      // Line breaks within strings are the usual fault; the second try is without them.
    }
  }
  return undefined
}

const CONTROLS = /\p{Cc}+/gu

function collectNodes(value: unknown, found: Properties[], depth: number): void {
  if (depth > MAX_DEPTH || found.length >= MAX_NODES) return
  if (Array.isArray(value)) for (const part of value) collectNodes(part, found, depth + 1)
  if (!isProperties(value)) return
  const isTyped = '@type' in value
  if (isTyped) found.push(value)
  const parts = isTyped ? [value['@graph'], value.mainEntity, value.mainEntityOfPage] : Object.values(value)
  for (const part of parts) collectNodes(part, found, depth + 1)
}

function createNode(node: Properties, byId: ReadonlyMap<unknown, Properties>): JsonLdNode {
  const types = [node['@type']].flat().filter((type) => typeof type === 'string')
  return {
    types: types.map((type) => type.replace(/^.*[/:#]/, '')),
    texts: (...path) => [...walk(node, path, byId)].slice(0, MAX_TEXTS),
  }
}

function* walk(value: unknown, path: readonly string[], byId: ReadonlyMap<unknown, Properties>): Iterable<string> {
  const [property, ...rest] = path
  if (Array.isArray(value)) for (const part of value.slice(0, MAX_TEXTS)) yield* walk(part, path, byId)
  else if (isProperties(value)) {
    const isReference = typeof value['@id'] === 'string' && Object.keys(value).length <= 2
    const known = isReference ? { ...byId.get(value['@id']), ...value } : value
    if (property !== undefined) yield* walk(known[property], rest, byId)
    else if (typeof known['@value'] === 'string') yield known['@value'].slice(0, MAX_TEXT_CHARS)
  } else if ((typeof value === 'string' || typeof value === 'number') && path.length <= 1)
    yield String(value).slice(0, MAX_TEXT_CHARS)
}

const isProperties = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
