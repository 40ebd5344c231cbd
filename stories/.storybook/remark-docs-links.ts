/** The part of a Markdown syntax tree that is read here. */
interface MarkdownNode {
  type: string
  url?: string
  children?: MarkdownNode[]
}

/**
 * Rewrites links between pages of the documentation, `./caching.mdx#stale`, to where Storybook shows them. A code host needs
 * the links as they are written.
 */
export const remarkDocsLinks =
  () =>
  (tree: MarkdownNode): void =>
    rewriteLinks(tree)

function rewriteLinks(node: MarkdownNode): void {
  if (node.type === 'link' && node.url)
    node.url = node.url.replace(/^(?:\.\/)?([\w-]+)\.mdx/, '?path=/docs/docs-$1--docs')
  node.children?.forEach(rewriteLinks)
}
