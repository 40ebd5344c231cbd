import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'

/** At most 6 MB in UTF-8; what a page says about itself stands in its first part. */
const MAX_HTML_CHARS = 2_000_000

const SERIALISE = `(length) => document.documentElement?.outerHTML.slice(0, length) ?? ''`

/** The document as the scripts of the page have made it, serialised; its first two million characters. */
export const renderedHtml = (page: OpenPage): Promise<string> => runInPage<string>(page, SERIALISE, MAX_HTML_CHARS)
