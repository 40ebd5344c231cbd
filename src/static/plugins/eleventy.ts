import { relative, sep } from 'node:path'
import { ASSETS_FOLDER } from '../freeze/index.js'
import { openPageFreezer, type PageFreezerOptions } from './freeze-build.js'

/** The part of Eleventy's configuration that the plugin uses. */
export interface EleventyConfig extends EleventyFolders {
  addTransform(name: string, transform: (this: EleventyPage, content: string) => Promise<string> | string): unknown
  on(event: 'eleventy.after', listener: (build: EleventyFolders) => Promise<void>): unknown
}

interface EleventyFolders {
  /** Set by Eleventy 3. */
  directories?: { output?: string }
  /** Deprecated: it lacks a folder that is set on the command line or by `setOutputDirectory()`. */
  dir?: { output?: string }
}

interface EleventyPage {
  /** `false` for a template that writes no file. */
  page: { outputPath?: string | false }
}

/**
 * Adds static cards to the pages of Eleventy: `config.addPlugin(pagePreview, { auto: 'p > a:only-child' })`.
 *
 * @throws  {FreezeError} from the build.
 */
export default function pagePreview(config: EleventyConfig, options: PageFreezerOptions = {}): void {
  const freezer = openPageFreezer(options)
  config.addTransform('page-preview', async function (content) {
    const { outputPath } = this.page
    if (!outputPath || !outputPath.endsWith('.html')) return content
    const { html } = await freezer.freeze(content, assetsFrom(outputPath, outputFolder(config)))
    return html
  })
  config.on('eleventy.after', (build) => freezer.writeFiles(outputFolder(build)))
}

const outputFolder = ({ directories, dir }: EleventyFolders) => directories?.output ?? dir?.output ?? '_site'

/** Relative, so that the site may be served below any path. */
function assetsFrom(outputPath: string, outputDir: string): string {
  const folders = relative(outputDir, outputPath).split(sep).slice(0, -1)
  return `${'../'.repeat(folders.length)}${ASSETS_FOLDER}/`
}
