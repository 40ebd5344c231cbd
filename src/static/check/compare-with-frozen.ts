import type { Images } from '../../server/images/index.js'
import type { FrozenImage } from '../freeze/index.js'
import type { PreviewSource, SourcePage } from '../preview-source/index.js'
import type { SiteLink } from './find-links.js'
import type { LinkReport } from './link-report.js'

/** Reads a frozen image by its name; `undefined` where it is missing. */
export type ReadImage = (name: string) => Promise<Uint8Array | undefined>

export interface CompareContext {
  source: PreviewSource
  images: Pick<Images, 'compareImages'>
  readImage: ReadImage
  signal: AbortSignal
}

/** Pages have advertisements, dates and carousels; a smaller share is not significant. */
const MIN_DIFFERENCE = 0.25
const COMPARED_WIDTH = 640
const DECODABLE: readonly string[] = ['jpg', 'png', 'webp', 'avif']
const MAX_TITLE_CHARS = 300
const MAX_COMPARED_CHARS = 2_000

/** What of a page differs from the time when it was frozen. */
export async function compareWithFrozen(
  link: SiteLink,
  page: SourcePage,
  context: CompareContext,
): Promise<Pick<LinkReport, 'title' | 'imageDifference'>> {
  const title = compareTitles(link.entry?.preview?.data.title, page.data.title)
  const imageDifference = await compareImages(link, page, context)
  return {
    ...(title && { title }),
    ...(imageDifference !== undefined && imageDifference >= MIN_DIFFERENCE && { imageDifference }),
  }
}

function compareTitles(before: string | null | undefined, now: string | null | undefined): LinkReport['title'] {
  if (!before || !now || folded(before) === folded(now)) return undefined
  return { before: before.slice(0, MAX_TITLE_CHARS), now: now.slice(0, MAX_TITLE_CHARS) }
}

const folded = (title: string) =>
  title.slice(0, MAX_COMPARED_CHARS).normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

async function compareImages(
  { request, entry }: SiteLink,
  page: SourcePage,
  { source, images, readImage, signal }: CompareContext,
): Promise<number | undefined> {
  const frozen = entry?.preview?.image
  const field = frozen?.isScreenshot ? 'screenshot' : (request.embed ?? 'image')
  if (!frozen || !page.data[field]) return undefined
  const name = nearestFile(frozen)
  const before = name && (await readImage(name))
  if (!before) return undefined
  try {
    const now = await source.image({ ...request.query }, field, { width: COMPARED_WIDTH }, signal)
    return await images.compareImages(before, now.bytes, { signal })
  } catch {
    // An image that cannot be fetched or decoded does not mean that the link has changed.
    signal.throwIfAborted()
    return undefined
  }
}

const nearestFile = ({ files }: FrozenImage): string | undefined =>
  files
    .filter(({ type }) => DECODABLE.includes(type))
    .toSorted((one, other) => Math.abs(one.width - COMPARED_WIDTH) - Math.abs(other.width - COMPARED_WIDTH))[0]?.name
