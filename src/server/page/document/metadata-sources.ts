import type { JsonLd } from './json-ld.js'

/** Characters of a page that are read: its metadata is near its beginning. */
export const MAX_HTML_CHARS = 1_000_000

/** The attributes of an element by name in lower case, decoded. */
export type Attributes = Readonly<Record<string, string>>

/** Everything in a page that metadata can come from, unprocessed; the rules select from it. */
export interface MetadataSources {
  /** URL of the page. */
  url: string
  /** Resolves relative URLs: `<base>`, or else `url`. */
  baseUrl: string
  /** `content` by lower-case `name`, `property` or `itemprop` of `<meta>`, in document order. */
  metas: ReadonlyMap<string, readonly string[]>
  links: readonly PageLink[]
  /** `<html lang>`, or else `<body lang>`. */
  lang: string | undefined
  /** Text of `<title>`. */
  title: string | undefined
  /** Values in the body, by property, in document order. */
  body: BodyProperties
  /** The subset of `body` within the main `<article>`: the one with a heading, or the only one. */
  article: BodyProperties
  /** The subset of `body` near the headline; empty for a page without one. */
  nearHeadline: BodyProperties
  jsonLd: JsonLd
  /** Alternative texts by URL, as the page states both; the most reliable first. */
  imageAlts: readonly (readonly [url: string, alt: string])[]
  /** Icons of the web app manifest; empty until it was fetched. */
  manifestIcons: readonly PageIcon[]
  /** The strings of the oEmbed document; empty until it was fetched. */
  oembed: ReadonlyMap<string, string>
  /** `src` of the frame that shows the content of a page without content of its own. */
  mainFrame: string | undefined
  /** Length of the visible text, without title and `<noscript>`. */
  textChars: number
  /** Number of `<script>` elements, JSON-LD excluded. */
  scriptCount: number
  /** Whether an element that frameworks render into has no text: `<div id="root">`, `<app-root>`. */
  hasEmptyRoot: boolean
  /** Whether any element with an `id`, or a custom element, has no text. */
  hasEmptyContainer: boolean
  /** Whether it loads a script, or contains one that leads to another page. */
  hasBundle: boolean
  /** Whether `<noscript>` names JavaScript. */
  demandsScripts: boolean
  /** Fingerprints of what the head declares. */
  declarations: readonly string[]
}

export interface IconSize {
  /** Longer side of the largest size, in pixels; 0 when unknown. */
  size: number
  isSquare: boolean
}

export interface PageLink extends IconSize {
  /** Lower case. */
  rels: readonly string[]
  href: string
  /** Media query; `''` when missing. */
  media: string
  /** Media type, lower case; `''` when missing. */
  type: string
  /** `''` when missing. */
  title: string
}

export interface PageIcon extends IconSize {
  href: string
}

/** What the markup of the body can state, by microdata, microformats, `rel`, class names or the element itself. */
export type BodyProperty = keyof ReturnType<typeof emptyBodyProperties>
export type BodyProperties = Readonly<Record<BodyProperty, readonly string[]>>

const emptyList = (): string[] => []

/** An empty list per property, to be filled. */
export function emptyBodyProperties() {
  return {
    heading: emptyList(),
    siteHeading: emptyList(),
    homeLink: emptyList(),
    headline: emptyList(),
    entryTitle: emptyList(),
    subheading: emptyList(),
    itemDescription: emptyList(),
    paragraph: emptyList(),
    tableParagraph: emptyList(),
    itemImage: emptyList(),
    modified: emptyList(),
    duration: emptyList(),
    author: emptyList(),
    byline: emptyList(),
    bylineText: emptyList(),
    closingByline: emptyList(),
    authorLink: emptyList(),
    roleText: emptyList(),
    publisher: emptyList(),
    published: emptyList(),
    dated: emptyList(),
    datedText: emptyList(),
    image: emptyList(),
    background: emptyList(),
    logo: emptyList(),
    audio: emptyList(),
    video: emptyList(),
    poster: emptyList(),
    audioLink: emptyList(),
    videoLink: emptyList(),
  }
}
