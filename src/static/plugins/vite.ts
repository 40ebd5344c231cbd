import { resolve } from 'node:path'
import type { PageData } from '../../query/index.js'
import {
  ASSETS_FOLDER,
  DEFAULT_LOCK,
  nearestWebp,
  readLock,
  toCardRequest,
  type FreezeOptions,
  type FrozenImage,
  type FrozenPreview,
  type OpenPreviewsOptions,
} from '../freeze/index.js'
import {
  addImage,
  assertNoFailure,
  freezeBuild,
  sharePreviews,
  type BuildLogger,
  type StrictOption,
} from './freeze-build.js'
import { serveFiles, type DevServer } from './serve-files.js'

export interface VitePagePreviewOptions extends Omit<FreezeOptions, 'dir'>, StrictOption {
  /**
   * Folder of the pages, relative to Vite's root, if a framework writes them after Vite has built: `build` for SvelteKit.
   * Default: `build.outDir`.
   */
  dir?: string | undefined
  /** Pages whose data `virtual:page-preview` has, besides those in the lock file: URLs, or parameters by name. */
  previews?: readonly (string | PreviewParameters)[] | undefined
}

/** The part of a Vite plugin that is used. */
export interface VitePlugin {
  name: string
  configResolved(config: ViteConfig): void
  configureServer(server: DevServer): void
  resolveId(id: string): string | undefined
  load(id: string): Promise<string | undefined>
  generateBundle(this: BuildContext): void
  writeBundle(): void
  closeBundle: { sequential: true; order: 'post'; handler(): Promise<void> }
  buildApp: { order: 'post'; handler(): Promise<void> }
}

interface ViteConfig {
  command: string
  root: string
  base: string
  build: { outDir: string; ssr?: unknown }
  /** Set if a framework builds several environments. */
  builder?: unknown
  logger: BuildLogger
}

interface BuildContext {
  emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array }): unknown
}

const MODULE = 'virtual:page-preview'
const RESOLVED_MODULE = `\0${MODULE}`

/**
 * Writes static cards into the HTML files of a build, and provides the data of previews to the code of the site as
 * `import previews from 'virtual:page-preview'`. List it after the plugin of a framework.
 */
export default function pagePreview(options: VitePagePreviewOptions = {}): VitePlugin {
  const { previews = [], strict, dir, ...freezeOptions } = options
  const data = openPreviewData(freezeOptions, previews)
  let config: ViteConfig | undefined
  let isWritten = false
  // The code of the site shows previews that are in no page.
  let keepUnused = previews.length > 0
  const freezePages = async (hook: 'closeBundle' | 'buildApp') => {
    if (config?.command !== 'build' || hook !== lastHook(config, dir)) return
    await freezeBuild({ ...freezeOptions, dir: pagesDir(config, dir), keepUnused }, { strict, logger: config.logger })
  }
  return {
    name: 'page-preview',
    configResolved(resolved) {
      config = resolved
    },
    configureServer: (server) => serveFiles(server, () => data.images()),
    resolveId: (id) => (id === MODULE ? RESOLVED_MODULE : undefined),
    async load(id) {
      if (id !== RESOLVED_MODULE) return undefined
      keepUnused = true
      const assets = `${config?.base ?? '/'}${ASSETS_FOLDER}/`
      return `export default ${JSON.stringify(await data.read(assets, { strict: strict && config?.command === 'build' }))}`
    },
    generateBundle() {
      for (const [name, source] of data.images())
        this.emitFile({ type: 'asset', fileName: `${ASSETS_FOLDER}/${name}`, source })
    },
    writeBundle() {
      isWritten = true
    },
    // After plugins that write pages when the bundle is closed.
    closeBundle: {
      sequential: true,
      order: 'post',
      // It is called after a failed build, too.
      handler: async () => (isWritten ? freezePages('closeBundle') : undefined),
    },
    buildApp: { order: 'post', handler: () => freezePages('buildApp') },
  }
}

const pagesDir = ({ root, build }: ViteConfig, dir = build.outDir) => resolve(root, dir)

/** The hook after which the pages are written; `undefined` in an earlier build. */
function lastHook(config: ViteConfig, dir: string | undefined): 'closeBundle' | 'buildApp' | undefined {
  const { build, builder } = config
  if (pagesDir(config, dir) === pagesDir(config)) return build.ssr ? undefined : 'closeBundle'
  // Frameworks that do not build several environments write pages with what they have built for the server.
  if (!builder) return build.ssr ? 'closeBundle' : undefined
  return 'buildApp'
}

/** Parameters of a preview by name, with its URL. */
type PreviewParameters = { url: string } & Record<string, unknown>

/** The data of previews for components that take it instead of requesting it. */
interface PreviewData {
  /**
   * The data in the lock file by URL, after missing previews were captured. URLs of images are below `assets`.
   *
   * @throws  {FreezeError} with `strict` also for a dead link, and when the service cannot be used.
   */
  read(assets: string, options: StrictOption): Promise<Record<string, PageData>>
  /** The images of the data that was read, by name. */
  images(): ReadonlyMap<string, Uint8Array>
}

/** Pixels: cards are at most 402 CSS pixels wide, on screens of two pixels for each. */
const IMAGE_WIDTH = 960

function openPreviewData(options: OpenPreviewsOptions, pages: readonly (string | PreviewParameters)[]): PreviewData {
  const shared = sharePreviews(options)
  const images = new Map<string, Uint8Array>()
  const requests = pages.map((entry) => toCardRequest(typeof entry === 'string' ? { url: entry } : entry))
  return {
    images: () => images,
    async read(assets, { strict }) {
      if (requests.length)
        await shared.use(async (previews) => {
          await Promise.all(requests.map((request) => previews.resolve(request)))
          const keys = requests.map(({ key }) => key)
          if (strict) assertNoFailure(keys, shared, previews)
        })
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

function dataOf({ data, image, icon }: FrozenPreview, assets: string): PageData {
  const url = image && assets + bestFile(image)
  return {
    ...data,
    ...(data.screenshot && { screenshot: url && image.isScreenshot ? { ...data.screenshot, url } : null }),
    image: data.image && url && !image.isScreenshot ? { ...data.image, url } : null,
    logo: data.logo && icon ? { ...data.logo, url: assets + bestFile(icon) } : null,
  }
}

const bestFile = (image: FrozenImage): string => nearestWebp(image, IMAGE_WIDTH)?.name ?? ''
