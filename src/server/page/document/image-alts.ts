import { metaNames } from './declarations.js'
import type { Attributes } from './metadata-sources.js'

const MAX_ALTS = 300
const MAX_ALT_CHARS = 1_000

/** The images that a vocabulary of `<meta>` has declared, and the text that is not yet known to belong to one of them. */
interface DeclaredImages {
  images: string[]
  hasAlt: boolean
  alt: string | undefined
}

/** Collects the alternative texts of images, with the URLs as the page states them. */
export class ImageAlts {
  readonly #alts: [url: string, alt: string][] = []
  readonly #openGraph: DeclaredImages = { images: [], hasAlt: false, alt: undefined }
  readonly #twitter: DeclaredImages = { images: [], hasAlt: false, alt: undefined }

  /** `og:image:alt` belongs to the `og:image` before it, or after it if there is none. */
  readMeta({ name, property, content }: Attributes): void {
    if (!content) return
    for (const key of metaNames([name, property])) {
      const declared = key.startsWith('og:image') ? this.#openGraph : this.#twitter
      if (key === 'og:image:alt' || key === 'twitter:image:alt') this.#addAlt(declared, content)
      else if (key === 'og:image' || key === 'twitter:image') this.#addImage(declared, content, true)
      else if (SAME_IMAGE.has(key)) this.#addImage(declared, content, false)
    }
  }

  readImage(url: string, alt: string | undefined): void {
    if (alt?.trim()) this.#add(url, alt)
  }

  /** The texts of `<meta>` before those of `<img>`. A text for Twitter, which shows `og:image` too, may belong to that. */
  list(): readonly (readonly [url: string, alt: string])[] {
    const { images, alt } = { ...this.#openGraph, alt: this.#twitter.alt }
    const rest = alt === undefined ? [] : images.slice(0, 1).map((url): [string, string] => [url, alt])
    return [...this.#alts, ...rest]
  }

  #addImage(declared: DeclaredImages, url: string, isNext: boolean): void {
    if (isNext && declared.images.length) Object.assign(declared, { images: [], hasAlt: false })
    declared.images.push(url)
    if (declared.alt !== undefined) this.#addAlt(declared, declared.alt)
    declared.alt = undefined
  }

  #addAlt(declared: DeclaredImages, alt: string): void {
    if (!declared.images.length || declared.hasAlt) declared.alt = alt
    else for (const url of declared.images) this.#add(url, alt)
    declared.hasAlt = declared.images.length > 0
  }

  #add(url: string, alt: string): void {
    if (this.#alts.length < MAX_ALTS) this.#alts.push([url, alt.slice(0, MAX_ALT_CHARS)])
  }
}

/** Other forms of the same image. */
const SAME_IMAGE = new Set(['og:image:url', 'og:image:secure_url', 'twitter:image:src'])
