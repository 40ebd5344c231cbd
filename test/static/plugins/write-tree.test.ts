import { describe, expect, it } from 'vitest'
import { writeTree, type TreeNode } from '../../../src/static/plugins/write-tree.js'

const root = (...children: TreeNode[]): TreeNode => ({ type: 'root', children })
const element = (tagName: string, properties: Record<string, unknown>, ...children: TreeNode[]): TreeNode => ({
  type: 'element',
  tagName,
  properties,
  children,
})
const text = (value: string): TreeNode => ({ type: 'text', value })

describe('a written tree', () => {
  it('has attributes by their names in HTML, and text escaped', () => {
    const link = element('a', { href: '/?a=1&b="', dataPagePreview: '', className: ['one', 'two'], hidden: false })
    link.children!.push(text('<b> & co'))
    const { html } = writeTree(root(element('p', {}, link), element('br', {})))
    expect(html).toBe(
      '<p><a href="/?a=1&#38;b=&#34;" data-page-preview="" class="one two">&#60;b&#62; &#38; co</a></p><br>',
    )
  })

  it('has elements of JSX, and of components only what is in them', () => {
    const jsx = (name: string | null, attributes: TreeNode['attributes'] = [], ...children: TreeNode[]): TreeNode => ({
      type: 'mdxJsxFlowElement',
      name,
      attributes,
      children,
    })
    const preview = jsx('page-preview', [
      { type: 'mdxJsxAttribute', name: 'url', value: 'https://example.com' },
      { type: 'mdxJsxAttribute', name: 'screenshot', value: null },
      { type: 'mdxJsxAttribute', name: 'element', value: { type: 'mdxJsxAttributeValueExpression', value: 'main' } },
    ])
    const { html } = writeTree(root(jsx('Tabs', [], jsx(null, [], preview))))
    expect(html).toBe('<page-preview url="https://example.com" screenshot=""></page-preview>')
  })

  it('is one line, in which each element is found by its offset', () => {
    const link = element('a', { href: '/' }, text('two\nlines'))
    const paragraph = element('p', {}, text('before\n'), link)
    const { html, elements } = writeTree(root(paragraph))
    expect(html).not.toContain('\n')
    expect(elements.get(html.indexOf('<a'))).toEqual({ node: link, parent: paragraph })
  })
})
