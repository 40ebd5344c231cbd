import { createHash } from 'node:crypto'
import type { HtmlCollector } from './html-collector.js'

/** What the head of a document declares: its title, `<meta>`, `<link>` and JSON-LD. */
export type Declared = Pick<HtmlCollector, 'title' | 'metas' | 'links' | 'jsonLdScripts'>

const MAX_DECLARATIONS = 1_000

/** Fingerprints of all declarations of a document, to tell which ones its scripts have added later. */
export const declarationsOf = ({ title, metas, links, jsonLdScripts }: Declared): string[] =>
  [
    ...(title === undefined ? [] : [titleId(title)]),
    ...links.map(({ rels, href }) => linkId(rels, href)),
    ...jsonLdScripts.map(scriptId),
    ...[...metas].flatMap(([name, values]) => values.map((value) => metaId(name, value))),
  ].slice(0, MAX_DECLARATIONS)

/** Only the declarations that are not among those of an earlier document. */
export function declarationsAfter(
  earlier: ReadonlySet<string>,
  { title, metas, links, jsonLdScripts }: Declared,
): Declared {
  const newMetas = [...metas].map(([name, values]): [string, string[]] => [
    name,
    values.filter((value) => !earlier.has(metaId(name, value))),
  ])
  return {
    title: title !== undefined && earlier.has(titleId(title)) ? undefined : title,
    metas: new Map(newMetas.filter(([, values]) => values.length > 0)),
    links: links.filter(({ rels, href }) => !earlier.has(linkId(rels, href))),
    jsonLdScripts: jsonLdScripts.filter((script) => !earlier.has(scriptId(script))),
  }
}

const titleId = (title: string) => fingerprint('title', title)
const linkId = (rels: readonly string[], href: string) => fingerprint('link', rels.join(' '), href)
const scriptId = (script: string) => fingerprint('script', script)
const metaId = (name: string, value: string) => fingerprint('meta', name, value)

/** Spaces do not count, because scripts that write the same again may format it otherwise. */
const fingerprint = (...parts: string[]) =>
  createHash('sha1')
    .update(parts.map((part) => part.replace(/\s+/g, ' ').trim()).join('\0'))
    .digest('base64')
    .slice(0, 12)
