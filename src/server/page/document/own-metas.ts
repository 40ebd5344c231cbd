import type { MetadataSources } from './metadata-sources.js'

/** What follows the title of a page in front of the name of its site. */
const SEPARATOR = /^\s?[|–—·•»«-]/
const MAX_HEADINGS = 5

/** The names of a card; all of them are stated once by the template of a site, and once by the page. */
const isOfCard = (name: string) => name === 'description' || /^(?:og|twitter):/.test(name)

/**
 * The `<meta>` elements of a page that states two cards, with the one first whose title the page repeats: some templates have a card of
 * the whole site, in front of the one that is added for the page.
 */
export function withOwnMetasFirst(
  metas: MetadataSources['metas'],
  { title = '', headings }: { title: string | undefined; headings: readonly string[] },
): MetadataSources['metas'] {
  const titles = metas.get('og:title') ?? []
  const isRepeated = (text: string) => {
    const name = text.trim()
    const rest = title.trim().startsWith(name) ? title.trim().slice(name.length) : undefined
    const isStart = rest !== undefined && (rest === '' || SEPARATOR.test(rest))
    return name !== '' && (isStart || headings.slice(0, MAX_HEADINGS).some((heading) => heading.trim() === name))
  }
  const at = titles.length > 1 ? titles.findIndex(isRepeated) : 0
  if (at <= 0) return metas
  const ownFirst = (values: readonly string[]) => [values[at]!, ...values.filter((_, index) => index !== at)]
  return new Map(
    Array.from(metas, ([name, values]) => [
      name,
      isOfCard(name) && values.length === titles.length ? ownFirst(values) : values,
    ]),
  )
}
