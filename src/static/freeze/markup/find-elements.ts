import { selectAll } from 'css-select'
import type { AnyNode, Document, Element } from 'domhandler'
import { isTag, isText } from 'domhandler'
import { PageError } from '../../../query/index.js'
import type { FindPreviewsOptions } from './freeze-html-options.js'

/** An element of a page that is a preview, or becomes one. */
export interface PreviewElement {
  kind: 'card' | 'hover'
  /** `<page-preview>`, or the link itself. */
  element: Element
  /** The link whose page is previewed. */
  link: Element | undefined
}

/** Elements whose content is not part of the page, or is shown literally. */
const INERT = new Set('template pre code textarea script style noscript svg math xmp listing iframe'.split(' '))

/**
 * Finds the previews of a page, in the order of the document.
 *
 * @param elements  All elements of the document.
 */
export function findElements(
  document: Document,
  elements: readonly Element[],
  { auto, hover }: FindPreviewsOptions,
): PreviewElement[] {
  const autoLinks = linksMatching(document, 'auto', auto)
  const hoverLinks = linksMatching(document, 'hover', hover)
  const found = elements.flatMap((element): PreviewElement[] => {
    if (element.name === 'page-preview') return [{ kind: 'card', element, link: findLink(element) }]
    if (element.name !== 'a') return []
    const mark = element.attribs['data-page-preview']
    if (mark === 'false') return []
    if (mark !== undefined) return [{ kind: mark === 'hover' ? 'hover' : 'card', element, link: element }]
    if (!(autoLinks.has(element) || hoverLinks.has(element)) || !isWebLink(element)) return []
    return [{ kind: autoLinks.has(element) ? 'card' : 'hover', element, link: element }]
  })
  return withoutCopies(found).filter(({ element }) => !isInert(element))
}

/** The parser duplicates elements that overlap with others. */
function withoutCopies(previews: readonly PreviewElement[]): PreviewElement[] {
  const starts = new Set<number>()
  return previews.filter(({ element: { sourceCodeLocation } }) => {
    if (!sourceCodeLocation || starts.has(sourceCodeLocation.startOffset)) return false
    return starts.add(sourceCodeLocation.startOffset)
  })
}

function linksMatching(document: Document, option: 'auto' | 'hover', selector: string | undefined): Set<Element> {
  if (selector === undefined) return new Set()
  try {
    const links = selectAll<AnyNode, Element>(selector, document, { pseudos: { 'only-child': isAlone } })
    return new Set(links.filter(({ name }) => name === 'a'))
  } catch (cause) {
    throw new PageError('EINVALQUERY', `The selector of \`${option}\` cannot be parsed; correct it: ${selector}`, {
      cause,
      data: { [option]: 'must be a CSS selector' },
    })
  }
}

/** `:only-child` of CSS ignores text, and a link in the middle of a sentence must not become a card. */
const isAlone = (element: Element): boolean =>
  element.parent?.children.every(
    (node) => node === element || !(isTag(node) || (isText(node) && node.data.trim() !== '')),
  ) ?? true

/** All elements in document order, without recursion: pages may be deep. */
export function elementsOf(root: AnyNode): Element[] {
  const elements: Element[] = []
  const stack: AnyNode[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isTag(node)) elements.push(node)
    if ('children' in node) for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!)
  }
  return elements
}

const findLink = (element: Element): Element | undefined => elementsOf(element).find(({ name }) => name === 'a')

/** Links to a place on the same page or to a program have no preview. */
const isWebLink = ({ attribs: { href = '' } }: Element) =>
  href.trim() !== '' && !/^\s*(#|(?!https?:)[a-z][a-z\d+.-]*:)/i.test(href)

/** Whether nothing may be replaced there: in code and templates, and in another preview. */
const isInert = (element: Element) =>
  ancestorsOf(element).some(({ name }) => INERT.has(name) || name === 'page-preview')

export function ancestorsOf(element: Element): Element[] {
  const ancestors: Element[] = []
  for (let { parent } = element as { parent: AnyNode | null }; parent; parent = parent.parent as AnyNode | null)
    if (isTag(parent)) ancestors.push(parent)
  return ancestors
}
