import { isJsonObject, type JsonObject } from './is-json-object.js'

/** One node of a JSON-LD graph: https://schema.org/docs/documents.html */
export interface JsonLdNode {
  readonly types: readonly string[]
  /** All strings under a path of properties: `texts('author', 'name')`. A string in place of an object counts as its last property. */
  texts(...path: string[]): string[]
  /** The objects in a property, references among them resolved. */
  objects(property: string): JsonLdNode[]
}

/** The JSON-LD nodes of a page, grouped by their relation to it. */
export interface JsonLd {
  /** What the page is about; empty for a page that lists many entities of one type and marks none of them as its own. */
  mainEntities: readonly JsonLdNode[]
  /** The page itself and its site. */
  pages: readonly JsonLdNode[]
  /** Everything else: organisations, people, breadcrumbs. */
  others: readonly JsonLdNode[]
  /** All nodes, also entities that the page does not mark as its own. */
  all: readonly JsonLdNode[]
}

const MAX_NODES = 300
const MAX_DEPTH = 4
const MAX_TYPES = 10
const MAX_TYPE_CHARS = 200
const MAX_TEXTS = 20
/** Depth of arrays within arrays. */
const MAX_ARRAY_DEPTH = 3
const MAX_TEXT_CHARS = 10_000

const ENTITY_TYPE =
  /(Article|Posting|Report|Episode|VideoObject|AudioObject|Product|Vehicle|Car|Recipe|Movie|Book|Event|Course|Review|SoftwareSourceCode|Application|MusicRecording|CreativeWork|Question|Photograph|SocialMediaPosting|Dataset|JobPosting)$/
const MEDIA_TYPE = /^(ImageObject|MediaObject)$/
const PAGE_TYPE = /(Page|WebSite)$/

/**
 * Reads the JSON-LD scripts of a page; scripts with invalid JSON are skipped.
 *
 * @param pageUrls  The URLs of the page; an entity with one of them is a main entity.
 */
export function readJsonLd(scripts: readonly string[], pageUrls: readonly string[]): JsonLd {
  const objects: JsonObject[] = []
  // Frameworks that render a page on the server and again in the browser leave its JSON-LD twice.
  for (const script of new Set(scripts)) collectObjects(parseScript(script), objects, 0)
  const byId = new Map(objects.filter((node) => typeof node['@id'] === 'string').map((node) => [node['@id'], node]))
  const nodes = objects.map((object) => createNode(object, byId))
  const isEntity = hasType(ENTITY_TYPE)
  const isPage = hasType(PAGE_TYPE)
  return {
    mainEntities: [
      ...selectMainEntities(nodes.filter(isEntity), pageUrls),
      ...onlyOne(nodes.filter(hasType(MEDIA_TYPE))),
    ],
    pages: nodes.filter(isPage),
    others: nodes.filter((node) => !isEntity(node) && !isPage(node)),
    all: nodes,
  }
}

const hasType =
  (pattern: RegExp) =>
  ({ types }: JsonLdNode) =>
    types.some((type) => pattern.test(type))

/** The nodes with a URL of the page; if there are none, each node that is the only one of its type. */
function selectMainEntities(nodes: readonly JsonLdNode[], pageUrls: readonly string[]): readonly JsonLdNode[] {
  const pageKeys = new Set(pageUrls.map(urlKey))
  const ofPage = nodes.filter((node) =>
    [...node.texts('url'), ...node.texts('mainEntityOfPage', '@id'), ...node.texts('@id')].some((url) =>
      pageKeys.has(urlKey(url)),
    ),
  )
  if (ofPage.length) return ofPage
  const counts = new Map<string, number>()
  for (const { types } of nodes) counts.set(types.join(), (counts.get(types.join()) ?? 0) + 1)
  return nodes.filter(({ types }) => counts.get(types.join()) === 1)
}

const onlyOne = (nodes: readonly JsonLdNode[]) => (nodes.length === 1 ? nodes : [])

/** Ignores case, scheme, query, fragment and the trailing slash. */
const urlKey = (url: string) =>
  url
    .slice(0, MAX_TEXT_CHARS)
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split(/[#?]/, 1)
    .join()
    .replace(/\/$/, '')

function parseScript(script: string): unknown {
  // Some pages wrap the JSON in comments, CDATA marks or semicolons.
  const start = script.search(/[{[]/)
  const end = Math.max(script.lastIndexOf('}'), script.lastIndexOf(']'))
  const json = script.slice(Math.max(start, 0), end + 1)
  for (const repair of REPAIRS)
    try {
      return JSON.parse(repair(json))
    } catch {
      // The next repair may help.
    }
  return undefined
}

/**
 * Repairs in the order in which they are tried: none, then line breaks within strings and escapes of other languages, then the
 * quotes of HTML.
 */
const REPAIRS: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replace(CONTROLS, ' ').replace(INVALID_ESCAPES, '$1'),
  // Other entities are decoded with the texts.
  (json) => json.replaceAll('&quot;', '"'),
]

const CONTROLS = /\p{Cc}+/gu
/** The first alternative keeps a backslash from escaping what follows an escaped one. */
const INVALID_ESCAPES = /(\\\\)|\\(?!["\\/bfnrtu])/g

function collectObjects(value: unknown, objects: JsonObject[], depth: number): void {
  if (depth > MAX_DEPTH || objects.length >= MAX_NODES) return
  if (Array.isArray(value)) for (const item of value) collectObjects(item, objects, depth + 1)
  if (!isJsonObject(value)) return
  const isNode = '@type' in value
  if (isNode) objects.push(value)
  const children = isNode ? [value['@graph'], value.mainEntity, value.mainEntityOfPage] : Object.values(value)
  for (const child of children) collectObjects(child, objects, depth + 1)
}

function createNode(object: JsonObject, byId: ReadonlyMap<unknown, JsonObject>): JsonLdNode {
  const types = [object['@type']].flat().slice(0, MAX_TYPES)
  const resolve = (value: JsonObject) => (isReference(value) ? (byId.get(value['@id']) ?? value) : value)
  return {
    types: types.filter((type) => typeof type === 'string').map(typeName),
    texts: (...path) => firstOf(textsAt(object, path, { byId, depth: 0 }), MAX_TEXTS),
    objects: (property) =>
      [valueOf(object, property)]
        .flat(MAX_ARRAY_DEPTH)
        .slice(0, MAX_TEXTS)
        .filter(isJsonObject)
        .map((value) => createNode(resolve(value), byId)),
  }
}

/** Whether an object only refers to another one; it may state a type. */
const isReference = (value: JsonObject) => typeof value['@id'] === 'string' && Object.keys(value).length <= 2

/** `Article` of `https://schema.org/article`: some pages begin a type with a small letter. */
function typeName(type: string): string {
  const name = type.slice(0, MAX_TYPE_CHARS).split(/[/:#]/).at(-1) ?? ''
  return capitalise(name)
}

const capitalise = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** Some pages begin the names of properties with a capital. */
function valueOf(object: JsonObject, property: string): unknown {
  const name = Object.hasOwn(object, property) ? property : capitalise(property)
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function firstOf(texts: Iterable<string>, count: number): string[] {
  const first: string[] = []
  for (const text of texts) if (first.push(text) === count) break
  return first
}

interface TextSearch {
  byId: ReadonlyMap<unknown, JsonObject>
  /** Number of arrays directly around the value. */
  depth: number
}

function* textsAt(value: unknown, path: readonly string[], { byId, depth }: TextSearch): Iterable<string> {
  const [property, ...rest] = path
  if (Array.isArray(value)) {
    if (depth >= MAX_ARRAY_DEPTH) return
    for (const item of value.slice(0, MAX_TEXTS)) yield* textsAt(item, path, { byId, depth: depth + 1 })
  } else if (isJsonObject(value)) {
    const referenced = isReference(value) ? byId.get(value['@id']) : undefined
    const find = (name: string) => valueOf(value, name) ?? (referenced && valueOf(referenced, name))
    const literal = find('@value')
    if (property !== undefined) yield* textsAt(find(property), rest, { byId, depth: 0 })
    else if (typeof literal === 'string') yield literal.slice(0, MAX_TEXT_CHARS)
  } else if ((typeof value === 'string' || typeof value === 'number') && path.length <= 1)
    yield String(value).slice(0, MAX_TEXT_CHARS)
}
