import { ASSETS_FOLDER, type FrozenHtml } from '../freeze/index.js'
import { CARD_MARK, markCards } from './cards-in-html.js'
import { openPageFreezer, type PageFreezer, type PageFreezerOptions } from './freeze-build.js'
import { serveFiles, type DevServer } from './serve-files.js'

/** The part of VitePress's configuration that changes. */
export interface VitePressConfig {
  base?: string
  // Methods, because VitePress declares their parameters with wider types.
  markdown?: { config?(markdown: MarkdownRenderer): unknown }
  vue?: { template?: { compilerOptions?: { isCustomElement?(tag: string): boolean | void } } }
  vite?: { plugins?: unknown[] }
}

export interface MarkdownRenderer {
  render(source: string, environment?: object): string
}

/** Rollup's plugin context, as far as it is used. */
interface BuildContext {
  emitFile(file: { type: 'asset'; fileName: string; source: string | Uint8Array }): unknown
}

const STYLESHEET = 'virtual:page-preview.css'
/** The colours of VitePress, unless the site sets its own. */
const THEME_STYLES = `@layer page-preview {
  :where(:root) {
    --pp-background: var(--vp-c-bg);
    --pp-text: var(--vp-c-text-1);
    --pp-focus: var(--vp-c-brand-1);
  }
}
`

/**
 * Adds static cards to a site of VitePress. They are part of the compiled page, so that Vue renders the same on the server,
 * when it hydrates, and when a visitor navigates from another page.
 */
export function withPagePreview<Config extends object>(config: Config, options: PageFreezerOptions = {}): Config {
  const pages = new Map<string, string>()
  const freezer = openPageFreezer(options)
  const { base = '/', markdown, vue, vite }: VitePressConfig = config
  return {
    ...config,
    markdown: {
      ...markdown,
      config(renderer: MarkdownRenderer) {
        markdown?.config?.(renderer)
        const render = renderer.render.bind(renderer)
        renderer.render = (source, environment) => {
          const html = render(source, environment)
          const marked = markCards(html, options)
          if (marked) pages.set(marked.id, html)
          return marked?.html ?? html
        }
      },
    },
    vue: withCustomElement(vue),
    vite: { ...vite, plugins: [...(vite?.plugins ?? []), cardPlugin(freezer, pages, base)] },
  }
}

function withCustomElement(vue: VitePressConfig['vue']): VitePressConfig['vue'] {
  const { compilerOptions } = vue?.template ?? {}
  const isCustomElement = (tag: string) => tag === 'page-preview' || Boolean(compilerOptions?.isCustomElement?.(tag))
  return { ...vue, template: { ...vue?.template, compilerOptions: { ...compilerOptions, isCustomElement } } }
}

function cardPlugin(freezer: PageFreezer, pages: ReadonlyMap<string, string>, base: string) {
  let assets = `${base.replace(/\/?$/, '/')}${ASSETS_FOLDER}/`
  const images = () => new Map([...freezer.files()].filter(([name]) => !name.endsWith('.css')))
  return {
    name: 'page-preview',
    // After VitePress has compiled a page.
    enforce: 'post' as const,
    // Vite has the base of the command line too, always with a slash at its end.
    configResolved({ base }: { base: string }) {
      assets = `${base}${ASSETS_FOLDER}/`
    },
    configureServer: (server: DevServer) => serveFiles(server, images),
    resolveId: (id: string) => (id === STYLESHEET ? `\0${id}` : undefined),
    load: (id: string) => (id === `\0${STYLESHEET}` ? stylesheetOf(freezer) : undefined),
    async transform(code: string) {
      const ids = new Set([...code.matchAll(CARD_MARK)].map(([, id = '']) => id).filter((id) => pages.has(id)))
      if (ids.size === 0) return undefined
      const cards = new Map<string, FrozenHtml<string>['cards']>()
      for (const id of ids) cards.set(id, (await freezer.freeze(pages.get(id)!, assets)).cards)
      const card = (mark: string, id: string, index: string) => inString(cards.get(id)?.[Number(index)]?.html ?? mark)
      return { code: `import '${STYLESHEET}'\n${code.replaceAll(CARD_MARK, card)}`, map: null }
    },
    generateBundle(this: BuildContext) {
      for (const [name, source] of images())
        this.emitFile({ type: 'asset', fileName: `${ASSETS_FOLDER}/${name}`, source })
    },
  }
}

function stylesheetOf(freezer: PageFreezer): string {
  const [, text = ''] = [...freezer.files()].find(([name]) => name.endsWith('.css')) ?? []
  return String(text) + THEME_STYLES
}

/** Vue writes the mark into strings of any quotes, and into templates. */
const inString = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/['`$]/g, (character) => `\\u00${character.codePointAt(0)!.toString(16)}`)
