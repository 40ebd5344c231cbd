import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'

/** At most 6 MB of UTF-8; the metadata of a page is near its beginning. */
const MAX_HTML_CHARS = 2_000_000

const SERIALIZE = `(length) => document.documentElement?.outerHTML.slice(0, length) ?? ''`

/** The document after its scripts have run, as HTML; at most its first two million characters. */
export const serializeDocument = (page: OpenPage): Promise<string> => runInPage<string>(page, SERIALIZE, MAX_HTML_CHARS)
