import { escapeUnprintable } from '../../query/help/index.js'
import {
  FreezeError,
  freezeHtml,
  openAssets,
  type FindPreviewsOptions,
  type OpenPreviewsOptions,
  type Previews,
} from '../freeze/index.js'
import { sharePreviews } from './share-previews.js'

/** Options that all plugins have; paths are relative to the working folder. */
export interface PageFreezerOptions extends OpenPreviewsOptions, Omit<FindPreviewsOptions, 'hover'> {
  /** Fails the build when a link is dead. Default: false. */
  strict?: boolean | undefined
}

/** Replaces the previews of pages with cards during a build. */
export interface PageFreezer {
  /**
   * @param html    A page, or a part of one.
   * @param assets  URL of the folder with images, as the page has to write it, with a slash at its end.
   * @throws        {FreezeError} when the lock file, the cache or the folder cannot be read or written; with `strict` for a dead link.
   */
  freeze(html: string, assets: string): Promise<string>
  /** Images, the stylesheet, and other files that pages so far need, by their names. */
  files(): ReadonlyMap<string, string | Uint8Array>
  /**
   * Writes these files to `page-preview` in a folder, where they are not there yet.
   *
   * @throws  {FreezeError}
   */
  writeFiles(dir: string): Promise<void>
}

export function openPageFreezer({
  strict = false,
  auto,
  defaults,
  baseUrl,
  ...options
}: PageFreezerOptions = {}): PageFreezer {
  const files = new Map<string, string | Uint8Array>()
  const shared = sharePreviews(options)
  return {
    freeze: (html, assets) =>
      shared.use(async (previews) => {
        const frozen = await freezeHtml(html, {
          auto,
          defaults,
          baseUrl,
          assets,
          resolve: (request) => previews.resolve(request),
        })
        for (const { line, reason } of frozen.skipped)
          console.warn(escapeUnprintable(`page-preview: line ${line}: ${reason}`))
        for (const { line, message } of frozen.warnings)
          console.warn(escapeUnprintable(`page-preview: line ${line}: ${message}`))
        for (const { name, text } of frozen.files) files.set(name, text)
        for (const name of previews.imageNames()) await addImage(name, previews, files)
        if (strict && shared.failures.size) throw deadLinks(shared.failures)
        return frozen.html
      }),
    files: () => files,
    async writeFiles(dir) {
      const assets = await openAssets(dir)
      for (const [name, content] of files) await assets.write(name, content)
    },
  }
}

async function addImage(name: string, previews: Previews, files: Map<string, string | Uint8Array>): Promise<void> {
  if (files.has(name)) return
  const bytes = await previews.readImage(name)
  if (bytes) files.set(name, bytes)
}

const deadLinks = (failures: ReadonlyMap<string, string>) =>
  new FreezeError(
    `${failures.size} of the previewed links are dead:\n${[...failures].map(([url, message]) => `${url}: ${message}`).join('\n')}`,
  )
