import type { IconSize } from './icon-size.js'
import type { JsonLd } from './json-ld.js'

/** What a page says about itself, as it says it; rules choose from it. */
export interface PageFacts {
  /** Where the page was. */
  url: string
  /** What relative addresses are relative to: `<base>`, else `url`. */
  baseUrl: string
  /** `content` by lower-case `name`, `property` or `itemprop` of `<meta>`, in order. */
  metas: ReadonlyMap<string, readonly string[]>
  links: readonly PageLink[]
  /** `<html lang>`. */
  lang: string | undefined
  /** Text of `<title>`. */
  title: string | undefined
  /** What stands in the body, by kind, in order. */
  body: BodyFacts
  /** The same within the page's own `<article>`: the one with a heading, or the only one. */
  article: BodyFacts
  jsonLd: JsonLd
  /** Of its web app manifest, once that was asked for. */
  manifestIcons: readonly PageIcon[]
  /** Texts of its oEmbed document, once that was asked for. */
  oembed: ReadonlyMap<string, string>
  /** How much text there is to read, without title and `<noscript>`. */
  textChars: number
  /** How many scripts there are. */
  scripts: number
}

export interface PageLink extends IconSize {
  /** Lower-case words. */
  rels: readonly string[]
  href: string
  /** Media type, lower case; `''` when it names none. */
  type: string
}

export interface PageIcon extends IconSize {
  href: string
}

/** The kinds of things in a body that rules may fall back on. */
export type BodyFacts = Readonly<Record<BodyFact, readonly string[]>>
export type BodyFact = keyof ReturnType<typeof emptyFacts>

const none = (): string[] => []

/** No fact of any kind, to be filled. */
export function emptyFacts() {
  return {
    heading: none(),
    headline: none(),
    itemDescription: none(),
    itemImage: none(),
    modified: none(),
    duration: none(),
    author: none(),
    byline: none(),
    publisher: none(),
    published: none(),
    dated: none(),
    image: none(),
    logo: none(),
    audio: none(),
    video: none(),
    poster: none(),
    audioLink: none(),
    videoLink: none(),
  }
}
