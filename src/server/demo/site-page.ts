/** One page of the sample site, without the parts that all pages share. */
export interface SitePage {
  path: string
  title: string
  description: string
  /** The `og:type`. */
  type: 'website' | 'article' | 'product'
  lang: string
  dir?: 'rtl'
  /** The `og:image`; served at `/social/<name>.png`. */
  socialImage: { name: string; alt: string }
  /** Additional `<meta>` properties. @param origin Of the site, without a trailing slash. */
  properties?: (origin: string) => Readonly<Record<string, string>>
  /** @see https://schema.org/ */
  jsonLd: (origin: string) => Record<string, unknown>
  body: (now: Date) => string
}
