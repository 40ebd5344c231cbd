/** Turns every link that stands alone in a paragraph into a preview; it goes before `remark-rehype`. */
export const remarkPagePreview = () => (tree) => {
  for (const paragraph of tree.children) {
    const [link, ...others] = paragraph.children ?? []
    if (paragraph.type !== 'paragraph' || others.length || link?.type !== 'link' || !/^https?:/.test(link.url)) continue
    paragraph.data = { hName: 'page-preview', hProperties: { url: link.url, screenshot: '' } }
  }
}
