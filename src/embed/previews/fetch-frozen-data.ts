import type { PageData } from '../../query/index.js'

/** Reads the data of a page from a file of the site, in which images have URLs relative to the file. */
export async function fetchFrozenData(url: URL): Promise<PageData> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url.href} responded ${response.status}`)
  const data = (await response.json()) as PageData
  const absolute = <Media extends { url: string }>(media: Media | null | undefined) =>
    media && { ...media, url: new URL(media.url, url).href }
  return {
    ...data,
    image: absolute(data.image),
    logo: absolute(data.logo),
    ...(data.screenshot && { screenshot: absolute(data.screenshot) }),
  }
}
