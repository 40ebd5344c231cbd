import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The part of a Markdown syntax tree that is read here. */
interface MarkdownNode {
  type: string
  url?: string
  children?: MarkdownNode[]
}

const paths = readdirSync(fileURLToPath(new URL('../docs', import.meta.url)), { recursive: true, encoding: 'utf8' })
const pages = new Map(
  paths
    .filter((path) => path.endsWith('.mdx'))
    .map((path) => [basename(path), path.replace('.mdx', '').replace('/', '-')]),
)

/**
 * Rewrites links between pages of the documentation, such as `./caching.mdx#stale`, and those to pictures and other files to
 * where Storybook shows them. A code host needs the links as they are written. Names of pages are unique, so the folder does not
 * matter: it is not known here in which file a link is.
 */
export const remarkDocsLinks =
  () =>
  (tree: MarkdownNode): void =>
    rewriteLinks(tree)

function rewriteLinks(node: MarkdownNode): void {
  if (node.url && !/^(?:https?:|#)/.test(node.url)) node.url = urlOf(node.url)
  node.children?.forEach(rewriteLinks)
}

function urlOf(link: string): string {
  const [path = '', anchor] = link.split('#')
  const page = pages.get(basename(path))
  if (!page) return `files/${basename(path)}`
  return `?path=/docs/docs-${page}--docs${anchor ? `#${anchor}` : ''}`
}
