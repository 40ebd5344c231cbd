import { localSite, type LocalSite, type Route } from '../local-site.js'

/** Sites whose pages have a number in their title and their own colour. All but those of `pageUrl` are pages of the first. */
export interface NumberedSite extends LocalSite {
  /** In the form of `allowTargets`. */
  hosts: readonly string[]
  /** A page of one of the sites in turn. */
  pageUrl(page: number): string
  /** A page whose HTML comes after a while. */
  slowUrl(page: number, delayMs: number): string
  /** A page whose connection breaks. */
  deadUrl(page: number): string
  /** When a page was requested, as readings of `performance.now()`, by its fetch and by its browsers. */
  requestsOf(url: string): readonly number[]
  /** How often a browser has opened it. */
  captures(url: string): number
}

export const titleOf = (page: number): string => `Page ${page}`

/** Red, green and blue, 0..255. */
export const colourOf = (page: number): readonly [number, number, number] => [
  (page * 53) % 256,
  (page * 97) % 256,
  (page * 193) % 256,
]

/** @param addresses  Of this machine; each is a site. */
export async function startNumberedSite(addresses: readonly string[] = ['127.0.0.1']): Promise<NumberedSite> {
  const requests = new Map<string, number[]>()
  const captures = new Map<string, number>()
  const routes: Record<string, Route> = {
    '/page': (request, response) => {
      const { pathname, search, searchParams } = new URL(request.url!, 'http://site.test')
      const path = pathname + search
      requests.set(path, [...(requests.get(path) ?? []), performance.now()])
      // The browser alone asks for it.
      if (request.headers['upgrade-insecure-requests']) captures.set(path, (captures.get(path) ?? 0) + 1)
      const page = Number(searchParams.get('n'))
      const html = `<!doctype html><title>${titleOf(page)}</title><body style="background:rgb(${colourOf(page).join()})">`
      const respond = () => response.writeHead(200, { 'content-type': 'text/html' }).end(html)
      if (searchParams.has('dead')) request.socket.destroy()
      else setTimeout(respond, Number(searchParams.get('delay')))
    },
  }
  const sites = await Promise.all(addresses.map((address) => localSite(routes, 0, address)))
  const [site] = sites as [LocalSite]
  const pathOf = (url: string) => {
    const { pathname, search } = new URL(url)
    return pathname + search
  }
  return {
    ...site,
    hosts: sites.map(({ host }) => host),
    close: async () => void (await Promise.all(sites.map((each) => each.close()))),
    pageUrl: (page) => `${sites[page % sites.length]!.url}/page?n=${page}`,
    slowUrl: (page, delayMs) => `${site.url}/page?n=${page}&delay=${delayMs}`,
    deadUrl: (page) => `${site.url}/page?n=${page}&dead=true`,
    requestsOf: (url) => requests.get(pathOf(url)) ?? [],
    captures: (url) => captures.get(pathOf(url)) ?? 0,
  }
}
