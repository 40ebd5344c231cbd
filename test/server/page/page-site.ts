import { onTestFinished } from 'vitest'
import type { PageQuery } from '../../../src/query/index.js'
import { createDispatcher, createGuard } from '../../../src/server/network/index.js'
import { fetchPage, readPage, readRendered, type PageReading } from '../../../src/server/page/index.js'
import { localSite, type LocalSite, type Route } from '../../local-site.js'

/** A site for one test, and the page reader that may see it; other local sites are let through by `alsoAllowed`. */
export async function pageSite(routes: Record<string, Route>, alsoAllowed: readonly Pick<LocalSite, 'host'>[] = []) {
  const site = await localSite(routes)
  const guard = createGuard({ allowTargets: [site, ...alsoAllowed].map(({ host }) => host) })
  const dispatcher = createDispatcher(guard)
  onTestFinished(async () => {
    await dispatcher.destroy()
    await site.close()
  })
  const signal = new AbortController().signal
  return {
    ...site,
    fetch: (path = '/', options: { headers?: Record<string, string>; signal?: AbortSignal } = {}) =>
      fetchPage(new URL(path, site.url).href, { guard, dispatcher, signal, ...options }),
    read: (query: Partial<PageQuery> & Record<`ping.${string}`, boolean> = {}, path = '/') =>
      readPage({ ping: false, ...query, url: new URL(path, site.url).href }, { guard, dispatcher, signal }),
    readRendered: (html: string, reading: PageReading, query: Partial<PageQuery> = {}) =>
      readRendered(html, reading, { ping: false, ...query, url: site.url }, { guard, dispatcher, signal }),
  }
}

/** A site that is there for a redirect or a file, for one test. */
export async function otherSite(routes: Record<string, Route>): Promise<LocalSite> {
  const site = await localSite(routes)
  onTestFinished(() => site.close())
  return site
}

export const send =
  (body: string | Uint8Array, headers: Record<string, string> = {}, statusCode = 200): Route =>
  (_, response) =>
    void response.writeHead(statusCode, headers).end(body)
