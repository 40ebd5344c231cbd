import { localSite, type LocalSite } from '../local-site.js'

/** A site whose pages have a number in their title and their own colour. */
export interface NumberedSite extends LocalSite {
  pageUrl(page: number): string
}

export const titleOf = (page: number): string => `Page ${page}`

/** Red, green and blue, 0..255. */
export const colourOf = (page: number): readonly [number, number, number] => [
  (page * 53) % 256,
  (page * 97) % 256,
  (page * 193) % 256,
]

export async function startNumberedSite(): Promise<NumberedSite> {
  const site = await localSite({
    '/page': (request, response) => {
      const page = Number(new URL(request.url!, 'http://site.test').searchParams.get('n'))
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>${titleOf(page)}</title><body style="background:rgb(${colourOf(page).join()})">`)
    },
  })
  return { ...site, pageUrl: (page) => `${site.url}/page?n=${page}` }
}
