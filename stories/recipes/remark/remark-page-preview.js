/** Turns every link that is alone in its paragraph into a preview; use it before `remark-rehype`. */
export const remarkPagePreview = () => (tree) => {
  for (const paragraph of tree.children) {
    const [link, ...others] = paragraph.children ?? []
    if (paragraph.type !== 'paragraph' || others.length || link?.type !== 'link' || !/^https?:/.test(link.url)) continue
    paragraph.data = { hName: 'page-preview', hProperties: { url: link.url, screenshot: '' } }
  }
}
