import { relative, sep } from 'node:path'
import { openPageFreezer, type PageFreezerOptions } from './freeze-build.js'

/** The part of Eleventy's configuration that the plugin uses. */
export interface EleventyConfig {
  addTransform(name: string, transform: (this: EleventyPage, content: string) => Promise<string> | string): unknown
  on(event: 'eleventy.after', listener: (build: { dir: { output: string } }) => Promise<void>): unknown
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
    const { html } = await freezer.freeze(content, assetsFrom(outputPath, config.dir?.output ?? '_site'))
    return html
  })
  config.on('eleventy.after', ({ dir }) => freezer.writeFiles(dir.output))
}

/** Relative, so that the site may be served below any path. */
function assetsFrom(outputPath: string, outputDir: string): string {
  const folders = relative(outputDir, outputPath).split(sep).slice(0, -1)
  return `${'../'.repeat(folders.length)}page-preview/`
}
