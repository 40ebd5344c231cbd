/** Turns every link that is alone in its paragraph into a preview; use it before `remark-rehype`. */
export const remarkPagePreview = () => turnLinks

function turnLinks(parent) {
  for (const node of parent.children ?? []) {
    const [link, ...others] = node.children ?? []
    if (node.type !== 'paragraph') turnLinks(node)
    else if (!others.length && link?.type === 'link' && /^https?:/.test(link.url))
      node.data = { hName: 'page-preview', hProperties: { url: link.url, screenshot: '' } }
  }
}
