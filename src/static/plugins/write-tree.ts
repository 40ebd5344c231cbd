import { escapeHtml } from './cards-in-html.js'

/** A node of a hast tree, or of MDX's JSX in one; the part of their types that this file needs. */
export interface TreeNode {
  type: string
  value?: unknown
  tagName?: string
  properties?: Record<string, unknown>
  /** The name of a JSX element; `null` for a fragment. */
  name?: string | null
  attributes?: TreeAttribute[]
  children?: TreeNode[]
  data?: object
}

export interface TreeAttribute {
  type: string
  name?: string
  /** An object is an expression. */
  value?: unknown
}

export interface WrittenTree {
  html: string
  /** The elements by the offset of their start tag in `html`. */
  elements: Map<number, TreeElement>
}

/** An element, and where it is in the tree. */
export interface TreeElement {
  node: TreeNode
  parent: TreeNode
}

const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
])

/**
 * Writes a tree as HTML in which the previews of a page can be found, without comments and values that only exist at run time.
 */
export function writeTree(root: TreeNode): WrittenTree {
  const written: WrittenTree = { html: '', elements: new Map() }
  writeChildren(root, written)
  return written
}

function writeChildren(parent: TreeNode, written: WrittenTree): void {
  for (const node of parent.children ?? []) {
    const name = elementName(node)
    if (node.type === 'text') written.html += escapeHtml(String(node.value))
    else if (name === undefined) writeChildren(node, written)
    else writeElement({ node, parent }, name, written)
  }
}

function writeElement(element: TreeElement, name: string, written: WrittenTree): void {
  written.elements.set(written.html.length, element)
  written.html += startTag(name, attributesOf(element.node))
  if (VOID.has(name)) return
  writeChildren(element.node, written)
  written.html += `</${name}>`
}

/** The name of an HTML element; `undefined` for a component. */
function elementName({ type, tagName, name }: TreeNode): string | undefined {
  if (type === 'element') return tagName
  const isJsx = type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement'
  return isJsx && name && /^[a-z][a-z\d-]*$/.test(name) ? name : undefined
}

function attributesOf({ properties = {}, attributes = [] }: TreeNode): [name: string, value: unknown][] {
  const ofJsx = attributes.map(({ name, value }): [string, unknown] => [name ?? '', value ?? true])
  return [...Object.entries(properties), ...ofJsx].map(([name, value]) => [attributeName(name), value])
}

/** Names of properties are in camel case if HTML has dashes or nothing. */
function attributeName(property: string): string {
  if (property === 'className') return 'class'
  const prefixed = /^(data|aria)[A-Z]/.test(property)
  return prefixed ? property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : property.toLowerCase()
}

function startTag(name: string, attributes: [name: string, value: unknown][]): string {
  const written = attributes.map(([attribute, value]) => {
    if (value === true || value === undefined) return value ? ` ${attribute}=""` : ''
    const text = Array.isArray(value) ? value.join(' ') : value
    return typeof text === 'string' || typeof text === 'number' ? ` ${attribute}="${escapeHtml(String(text))}"` : ''
  })
  return `<${name}${written.join('')}>`
}
