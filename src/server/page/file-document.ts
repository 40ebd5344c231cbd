/** What a file says about itself. */
export interface FileFacts {
  title: string
  description?: string | undefined
  author?: string | undefined
  publisher?: string | undefined
  /** As written. */
  date?: string | undefined
  lang?: string | undefined
  /** URLs, may be relative to the file; the best first. */
  images?: readonly string[]
}

/** What the browser shows instead of a file. */
export interface FileView {
  html: string
  /** Whether it is the picture of a page, which has no elements. */
  isPicture: boolean
}

/** A file as an HTML document: its head states its metadata, and its body shows it. */
export const fileDocument = (facts: FileFacts, { styles, body }: { styles: string; body: string }): string =>
  `${fileHead(facts)}<meta name="viewport" content="width=device-width"><style>${styles}</style></head><body>${body}</body></html>`

/** The part of the document that has all of its metadata. */
export function fileHead({ title, description, author, publisher, date, lang, images = [] }: FileFacts): string {
  const metas: [name: string, content: string | undefined][] = [
    // The title is that of the file alone, and no part of it the name of a site.
    ['citation_title', title],
    ['og:description', description],
    ['author', author],
    ['og:site_name', publisher],
    ['article:published_time', date],
    ...images.map((image): [string, string] => ['og:image', image]),
  ]
  const tags = metas.map(([name, content]) => (content ? `<meta name="${name}" content="${escapeHtml(content)}">` : ''))
  const language = lang ? ` lang="${escapeHtml(lang)}"` : ''
  return `<!doctype html><html${language}><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${tags.join('')}`
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPED[character]!)
