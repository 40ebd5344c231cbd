import type { FrozenElement } from './element-ranges.js'
import type { TreeAttribute, TreeNode } from './write-tree.js'

/** A card as JSX of MDX: its HTML is set as raw HTML, which React does not compare when it hydrates. */
export function mdxCard(original: TreeNode, { attributes, html }: FrozenElement): TreeNode {
  const own =
    original.name === 'page-preview' ? (original.attributes ?? []) : Object.entries(attributes).map(toAttribute)
  return {
    type: original.type === 'mdxJsxFlowElement' ? original.type : 'mdxJsxTextElement',
    name: 'page-preview',
    attributes: [
      ...own.filter(({ name }) => name !== 'data-frozen'),
      { type: 'mdxJsxAttribute', name: 'data-frozen', value: '' },
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
export const mdxImport = (path: string): TreeNode => ({
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
