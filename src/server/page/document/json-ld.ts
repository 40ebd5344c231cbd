import { isJsonObject, readSloppyJson, type JsonObject } from './sloppy-json.js'

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
  /(Article|Posting|Report|Episode|VideoObject|AudioObject|Product|Vehicle|Car|Recipe|Movie|Book|Event|Course|Review|SoftwareSourceCode|Application|MusicRecording|MusicAlbum|MusicPlaylist|VideoGame|TVSeries|PodcastSeries|HowTo|CreativeWork|Question|Photograph|SocialMediaPosting|Dataset|JobPosting)$/
const MEDIA_TYPE = /^(ImageObject|MediaObject)$/
const PAGE_TYPE = /(Page|WebSite)$/

/**
 * Reads the JSON-LD scripts of a page, also those that are not valid JSON.
 *
 * @param pageUrls  The URLs of the page; an entity with one of them is a main entity.
 */
export function readJsonLd(scripts: readonly string[], pageUrls: readonly string[]): JsonLd {
  const objects: JsonObject[] = []
  // Frameworks that render a page on the server and again in the browser leave its JSON-LD twice.
  const values = Array.from(new Set(scripts)).flatMap(readSloppyJson)
  for (const value of values) collectObjects(value, objects, 0)
  const byId = indexById(values)
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

function collectObjects(value: unknown, objects: JsonObject[], depth: number): void {
  if (depth > MAX_DEPTH || objects.length >= MAX_NODES) return
  if (Array.isArray(value)) for (const item of value) collectObjects(item, objects, depth + 1)
  if (!isJsonObject(value)) return
  const isNode = '@type' in value
  if (isNode) objects.push(value)
  const children = isNode ? [value['@graph'], value.mainEntity, value.mainEntityOfPage] : Object.values(value)
  for (const child of children) collectObjects(child, objects, depth + 1)
}

const MAX_INDEXED = 2_000
const MAX_INDEXED_DEPTH = 12

/** The objects that references may name, wherever they stand; of several with one name, the one that states most. */
function indexById(values: readonly unknown[]): ReadonlyMap<unknown, JsonObject> {
  const byId = new Map<unknown, JsonObject>()
  let remaining = MAX_INDEXED
  const add = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null || depth > MAX_INDEXED_DEPTH || remaining-- <= 0) return
    if (isJsonObject(value) && typeof value['@id'] === 'string') {
      const known = byId.get(value['@id'])
      if (!known || Object.keys(known).length < Object.keys(value).length) byId.set(value['@id'], value)
    }
    for (const child of Object.values(value)) add(child, depth + 1)
  }
  for (const value of values) add(value, 0)
  return byId
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

/** Some pages begin the names of properties with a capital, or write them out with their vocabulary. */
const PREFIXES = ['', 'schema:', 'http://schema.org/', 'https://schema.org/']

function valueOf(object: JsonObject, property: string): unknown {
  const names = [property, capitalise(property), ...PREFIXES.map((prefix) => prefix + property)]
  const name = names.find((each) => Object.hasOwn(object, each))
  const value = name === undefined ? undefined : object[name]
  return isJsonObject(value) ? (value['@list'] ?? value['@set'] ?? value) : value
}

function firstOf(texts: Iterable<string>, count: number): string[] {
  const first: string[] = []
  for (const text of texts) if (first.push(text) === count) break
  return first
}

/** Properties whose value is a URL. */
const URL_PROPERTY = /^(?:image|logo|url|contentUrl|thumbnailUrl)$/

/** The URL of an object that only refers to it: `{"@id": "https://…/a.jpg"}`. Other names of objects have a fragment. */
const urlOf = (value: JsonObject) =>
  isReference(value) && !String(value['@id']).includes('#') ? value['@id'] : undefined

interface TextSearch {
  byId: ReadonlyMap<unknown, JsonObject>
  /** Number of arrays, or of names, directly around the value. */
  depth: number
  /** The property whose value it is. */
  name?: string | undefined
}

function* textsAt(value: unknown, path: readonly string[], { byId, depth, name }: TextSearch): Iterable<string> {
  const [property, ...rest] = path
  if (Array.isArray(value)) {
    if (depth >= MAX_ARRAY_DEPTH) return
    for (const item of value.slice(0, MAX_TEXTS)) yield* textsAt(item, path, { byId, depth: depth + 1, name })
  } else if (isJsonObject(value)) {
    const referenced = isReference(value) ? byId.get(value['@id']) : undefined
    const find = (each: string) => valueOf(value, each) ?? (referenced && valueOf(referenced, each))
    const literal = find('@value')
    if (property !== undefined) yield* textsAt(find(property), rest, { byId, depth: 0, name: property })
    else if (typeof literal === 'string') yield literal.slice(0, MAX_TEXT_CHARS)
    else if (name !== undefined && URL_PROPERTY.test(name) && isReference(referenced ?? value))
      yield* textsAt(urlOf(value), [], { byId, depth, name })
    // Some pages state the whole person as the name of the person.
    else if (name === 'name' && depth < MAX_ARRAY_DEPTH)
      yield* textsAt(find(name) ?? fullName(find), [], { byId, depth: depth + 1, name })
  } else if ((typeof value === 'string' || typeof value === 'number') && path.length <= 1)
    yield String(value).slice(0, MAX_TEXT_CHARS)
}

const fullName = (find: (property: string) => unknown): string | undefined =>
  [find('givenName'), find('familyName')].filter((part) => typeof part === 'string').join(' ') || undefined
