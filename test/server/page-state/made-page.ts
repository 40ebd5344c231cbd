import type { PageState } from '../../../src/query/index.js'
import type { Route } from '../../local-site.js'

/** A page as a site would send it, and what is right to say about it. */
export interface MadePage {
  name: string
  /** `undefined`: the page shows its content. */
  state: PageState | undefined
  /** Of `/<name>`. */
  route: Route
  /** Of further paths, which begin with `/<name>/`. */
  routes?: Record<string, Route>
  /** Default: `/<name>`. */
  path?: string
}

export interface SendOptions {
  status?: number
  headers?: Record<string, string>
}

type Responder = Exclude<Route, string>

export const send =
  (body: string | Buffer, { status = 200, headers = {} }: SendOptions = {}): Responder =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)

const STYLE = '<style>body{font:16px sans-serif;margin:40px;line-height:1.5}</style>'

export const html = (title: string, body: string, head = '') =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title>${STYLE}${head}</head><body>${body}</body></html>`

/** About 1,400 characters. */
export const ARTICLE = Array.from(
  { length: 8 },
  (_, at) => `<p>Paragraph ${at + 1} of an article: the harbour was quiet, the boats lay at their moorings, and the
    people of the town met at the market to talk about the weather, the prices of fish and the new road.</p>`,
).join('')

/** Answers with one page first, and with another once it has set a cookie. */
export const untilCookie =
  (name: string, first: Responder, then: Responder): Responder =>
  (request, response) =>
    request.headers.cookie?.includes(`${name}=1`) ? then(request, response) : first(request, response)
