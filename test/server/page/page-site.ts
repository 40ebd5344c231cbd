import { onTestFinished } from 'vitest'
import type { PageQuery } from '../../../src/query/index.js'
import { createByteBudget } from '../../../src/server/budget/index.js'
import { createImages, type Images } from '../../../src/server/images/index.js'
import { createDispatcher, createGuard } from '../../../src/server/network/index.js'
import { decodeHtml } from '../../../src/server/charset.js'
import { fetchPage } from '../../../src/server/page/fetch/index.js'
import {
  createDocumentReader,
  createFetchQueue,
  createRobots,
  readPage,
  readRenderedPage,
  type PageReadResult,
} from '../../../src/server/page/index.js'
import { requestScope } from '../request-scope.js'
import { localSite, type LocalSite, type Route } from '../../local-site.js'

/** A local site for one test, with functions that read its pages; `alsoAllowed` lets further local sites through the guard. Images are read by `sharedImages`, or by processes of its own. */
export async function pageSite(
  routes: Record<string, Route>,
  alsoAllowed: readonly Pick<LocalSite, 'host'>[] = [],
  sharedImages?: Images,
) {
  const site = await localSite(routes)
  const guard = createGuard({ allowTargets: [site, ...alsoAllowed].map(({ host }) => host) })
  const dispatcher = createDispatcher(guard)
  onTestFinished(async () => {
    await dispatcher.destroy()
    await site.close()
  })
  const signal = new AbortController().signal
  const documents = createDocumentReader()
  const fetchQueue = createFetchQueue()
  const byteBudget = createByteBudget()
  const images = sharedImages ?? createImages()
  if (!sharedImages) onTestFinished(() => images.close())
  const robots = createRobots({ guard, dispatcher })
  const parts = { guard, dispatcher, robots, fetchQueue, byteBudget, documents, images }
  // As given, because some tests have a query that parsing would not return.
  const scopeOf = (query: PageQuery, caller: { client?: string; signal?: AbortSignal } = {}) =>
    requestScope({ url: site.url }, { query, client: 'test', ...caller })
  return {
    ...site,
    /** With the HTML decoded. */
    async fetch(path = '/', options: { headers?: Record<string, string>; signal?: AbortSignal } = {}) {
      const page = await fetchPage(new URL(path, site.url).href, { guard, dispatcher, signal, ...options })
      return { ...page, html: page.html && decodeHtml(page.html, page.headers['content-type'] ?? '') }
    },
    read: (
      query: Partial<PageQuery> & Record<`ping.${string}`, boolean> = {},
      path = '/',
      caller: { client?: string; signal?: AbortSignal } = {},
    ) => readPage(scopeOf({ ping: false, ...query, url: new URL(path, site.url).href }, caller), undefined, parts),
    readRendered: (html: string, fetched: PageReadResult, query: Partial<PageQuery> = {}) =>
      readRenderedPage(html, fetched, scopeOf({ ping: false, ...query, url: site.url }), parts),
  }
}

/** A second site for one test, such as the target of a redirect; the guard refuses it unless it is allowed. */
export async function otherSite(routes: Record<string, Route>): Promise<LocalSite> {
  const site = await localSite(routes)
  onTestFinished(() => site.close())
  return site
}

export const send =
  (body: string | Uint8Array, headers: Record<string, string> = {}, statusCode = 200): Route =>
  (_, response) =>
    void response.writeHead(statusCode, headers).end(body)
