import type { PageData } from '../../query/index.js'
import {
  DEFAULT_LOCK,
  readLock,
  toCardRequest,
  type FrozenImage,
  type FrozenPreview,
  type OpenPreviewsOptions,
  type Previews,
} from '../freeze/index.js'
import { sharePreviews } from './share-previews.js'

/** Parameters of a preview by name, with its URL. */
export type PreviewParameters = { url: string } & Record<string, unknown>

/** The data of previews for components that take it instead of requesting it. */
export interface PreviewData {
  /**
   * The data in the lock file by URL, after missing previews were captured. URLs of images are below `assets`.
   *
   * @throws  {FreezeError}
   */
  read(assets: string): Promise<Record<string, PageData>>
  /** The images of the data that was read, by name. */
  images(): ReadonlyMap<string, Uint8Array>
}

/** Pixels: cards are at most 402 CSS pixels wide, on screens of two pixels for each. */
const IMAGE_WIDTH = 960

export function openPreviewData(
  options: OpenPreviewsOptions,
  pages: readonly (string | PreviewParameters)[],
): PreviewData {
  const shared = sharePreviews(options)
  const images = new Map<string, Uint8Array>()
  const requests = pages.map((entry) => toCardRequest(typeof entry === 'string' ? { url: entry } : entry))
  return {
    images: () => images,
    async read(assets) {
      if (requests.length)
        await shared.use((previews) => Promise.all(requests.map((request) => previews.resolve(request))))
      const data: Record<string, PageData> = {}
      await shared.use(async (previews) => {
        for (const { url, preview } of (await readLock(options.lock ?? DEFAULT_LOCK)).values()) {
          if (!preview || (data[url]?.screenshot && !preview.image?.isScreenshot)) continue
          const files = [preview.image, preview.icon].flatMap((image) => (image ? [bestFile(image)] : []))
          for (const name of files) await addImage(name, previews, images)
          data[url] = dataOf(preview, assets)
        }
      })
      return data
    },
  }
}

async function addImage(name: string, previews: Previews, images: Map<string, Uint8Array>): Promise<void> {
  const bytes = images.get(name) ?? (await previews.readImage(name))
  if (bytes) images.set(name, bytes)
}

function dataOf({ data, image, icon }: FrozenPreview, assets: string): PageData {
  const url = image && assets + bestFile(image)
  return {
    ...data,
    ...(data.screenshot && { screenshot: url && image.isScreenshot ? { ...data.screenshot, url } : null }),
    image: data.image && url && !image.isScreenshot ? { ...data.image, url } : null,
    logo: data.logo && icon ? { ...data.logo, url: assets + bestFile(icon) } : null,
  }
}

/** WebP where there is one: every browser that runs the components supports it. */
function bestFile({ files }: FrozenImage): string {
  const webp = files.filter(({ type }) => type === 'webp')
  const distance = ({ width }: { width: number }) => Math.abs(width - IMAGE_WIDTH)
  return (webp.length ? webp : files).toSorted((one, other) => distance(one) - distance(other))[0]?.name ?? ''
}
