import { dirname, relative, resolve, sep } from 'node:path'
import { ASSETS_FOLDER, findPreviews, FROZEN, type WrittenCard } from '../freeze/index.js'
import { escapeHtml } from './cards-in-html.js'
import { openPageFreezer, type PageFreezerOptions } from './freeze-build.js'
import { writeTree, type TreeAttribute, type TreeElement, type TreeNode } from './write-tree.js'

export interface RehypePagePreviewOptions extends PageFreezerOptions {
  /** Folder of static files, in which images are written to `page-preview`. Default: `public`. */
  publicDir?: string | undefined
  /** Path below which the site is served, with or without a slash at its end. Default: `/`. */
  base?: string | undefined
  /**
   * Whether the tree belongs to an MDX file. `false` adds raw HTML, which needs `allowDangerousHtml` of rehype-stringify, and
   * leaves the stylesheet to the site. Default: `true`.
   */
  mdx?: boolean | undefined
}

/** The part of a VFile that is used. */
interface MarkdownFile {
  /** Absolute, or relative to the working folder. */
  path?: string | undefined
}

/**
 * Writes the cards of previews into a page of Markdown or MDX while it is compiled, so that frameworks render the same on the
 * server and when they hydrate.
 *
 * @throws  {FreezeError} when the lock file, the cache or an image cannot be read or written.
 */
export default function rehypePagePreview(options: RehypePagePreviewOptions = {}) {
  const { publicDir = 'public', base = '/', mdx = true, ...freezerOptions } = options
  const freezer = openPageFreezer(freezerOptions)
  const assets = `${base.replace(/\/?$/, '/')}${ASSETS_FOLDER}/`
  return async (tree: TreeNode, file?: MarkdownFile): Promise<void> => {
    const { html, elements } = writeTree(tree)
    if (!findPreviews(html, options).some(({ kind }) => kind === 'card')) return
    const { cards } = await freezer.freeze(html, assets)
    await freezer.writeFiles(publicDir)
    for (const card of cards) {
      const element = elements.get(card.start)
      if (element && !card.isOwnLink) replaceNode(element, mdx ? mdxCard(element.node, card) : rawCard(card))
    }
    const stylesheet = [...freezer.files().keys()].find((name) => name.endsWith('.css'))
    if (mdx && stylesheet)
      tree.children?.unshift(mdxImport(specifierOf(resolve(publicDir, ASSETS_FOLDER, stylesheet), file?.path)))
  }
}

const replaceNode = ({ node, parent }: TreeElement, replacement: TreeNode) =>
  void parent.children?.splice(parent.children.indexOf(node), 1, replacement)

/** Relative to the page if its path is known, because Turbopack resolves no absolute path. */
function specifierOf(path: string, importer: string | undefined): string {
  if (importer === undefined) return path
  const specifier = relative(dirname(resolve(importer)), path).replaceAll(sep, '/')
  return specifier.startsWith('.') ? specifier : `./${specifier}`
}

/** Raw HTML, which rehype-stringify writes only when that is allowed. */
function rawCard({ attributes, html }: WrittenCard): TreeNode {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  return { type: 'raw', value: `<page-preview ${FROZEN}${written.join('')}>${html}</page-preview>` }
}

/** A card as JSX of MDX: its HTML is set as raw HTML, which React does not compare when it hydrates. */
function mdxCard(original: TreeNode, { attributes, html }: WrittenCard): TreeNode {
  const own =
    original.name === 'page-preview' ? (original.attributes ?? []) : Object.entries(attributes).map(toAttribute)
  return {
    type: original.type === 'mdxJsxFlowElement' ? original.type : 'mdxJsxTextElement',
    name: 'page-preview',
    attributes: [
      ...own.filter(({ name }) => name !== FROZEN),
      { type: 'mdxJsxAttribute', name: FROZEN, value: '' },
      {
        type: 'mdxJsxAttribute',
        name: 'dangerouslySetInnerHTML',
        value: { type: 'mdxJsxAttributeValueExpression', value: '', data: { estree: innerHtmlProgram(html) } },
      },
    ],
    children: [],
    data: { _mdxExplicitJsx: true },
  }
}

const toAttribute = ([name, value]: [string, string]): TreeAttribute => ({ type: 'mdxJsxAttribute', name, value })

/** The expression `{ __html: html }` as ESTree. */
function innerHtmlProgram(html: string): object {
  const property = {
    type: 'Property',
    kind: 'init',
    key: { type: 'Identifier', name: '__html' },
    value: { type: 'Literal', value: html },
    method: false,
    shorthand: false,
    computed: false,
  }
  return programOf({
    type: 'ExpressionStatement',
    expression: { type: 'ObjectExpression', properties: [property] },
  })
}

/** The statement `import 'path'` of an MDX file. */
const mdxImport = (path: string): TreeNode => ({
  type: 'mdxjsEsm',
  value: '',
  data: {
    estree: programOf({
      type: 'ImportDeclaration',
      specifiers: [],
      attributes: [],
      source: { type: 'Literal', value: path },
    }),
  },
})

const programOf = (statement: object) => ({ type: 'Program', sourceType: 'module', body: [statement], comments: [] })
