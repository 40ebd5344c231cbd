import { resolve } from 'node:path'
import type { FreezeOptions } from '../freeze/index.js'
import { freezeBuild, type BuildLogger } from './freeze-build.js'
import { openPreviewData, type PreviewParameters } from './open-preview-data.js'

export interface VitePagePreviewOptions extends Omit<FreezeOptions, 'dir'> {
  /** Pages whose data `virtual:page-preview` has, beside those of the lock file: URLs, or parameters by name. */
  previews?: readonly (string | PreviewParameters)[] | undefined
  /** Fails the build when a link is dead. Default: false. */
  strict?: boolean | undefined
}

/** The part of a Vite plugin that is used. */
export interface VitePlugin {
  name: string
  configResolved(config: ViteConfig): void
  resolveId(id: string): string | undefined
  load(id: string): Promise<string | undefined>
  generateBundle(this: BuildContext): void
  writeBundle(): void
  closeBundle: { sequential: true; order: 'post'; handler(): Promise<void> }
}

interface ViteConfig {
  command: string
  root: string
  base: string
  build: { outDir: string; ssr?: unknown }
  logger: BuildLogger
}

interface BuildContext {
  emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array }): unknown
}

const MODULE = 'virtual:page-preview'
const RESOLVED_MODULE = `\0${MODULE}`

/**
 * Writes static cards into the HTML files of a build, and gives the data of previews to the code of the site by
 * `import previews from 'virtual:page-preview'`.
 */
export default function pagePreview(options: VitePagePreviewOptions = {}): VitePlugin {
  const { previews = [], strict = false, ...freezeOptions } = options
  const data = openPreviewData(freezeOptions, previews)
  let config: ViteConfig | undefined
  let isWritten = false
  return {
    name: 'page-preview',
    configResolved(resolved) {
      config = resolved
    },
    resolveId: (id) => (id === MODULE ? RESOLVED_MODULE : undefined),
    async load(id) {
      if (id !== RESOLVED_MODULE) return undefined
      return `export default ${JSON.stringify(await data.read(`${config?.base ?? '/'}page-preview/`))}`
    },
    generateBundle() {
      for (const [name, source] of data.images())
        this.emitFile({ type: 'asset', fileName: `page-preview/${name}`, source })
    },
    writeBundle() {
      isWritten = true
    },
    closeBundle: {
      // After plugins that write pages when the bundle is closed.
      sequential: true,
      order: 'post',
      async handler() {
        if (!config || config.command !== 'build' || config.build.ssr || !isWritten) return
        const dir = resolve(config.root, config.build.outDir)
        // Code of the site shows previews that no page has.
        await freezeBuild(
          { ...freezeOptions, dir, keepUnused: data.images().size > 0 },
          { strict, logger: config.logger },
        )
      },
    },
  }
}
