import { requestUrl, type PageQuery } from '../../query/index.js'
import { joinParts, type CodePart } from './code-part.js'
import type { SampleInput } from './sample-input.js'
import { saidWords } from './said-words.js'

/** The same for a page without a build: the script tag, and for what is embedded also an element that needs no script. */
export function htmlCode(input: SampleInput): CodePart[] {
  const { query } = input
  if (query.embed === 'html') return frame(input)
  if (!query.embed) return custom(input)
  return [...custom(input), '\n\n', ['comment', '<!-- or, without any script -->'], '\n', ...image(input)]
}

function custom({ query, layout, theme, hosts }: SampleInput): CodePart[] {
  const attributes = [
    ...saidWords(query).map(([name, value]) => attribute(attributeName(name), value === 'true' ? undefined : value)),
    ...(layout === 'card' ? [] : [attribute('layout', layout)]),
    ...(theme === 'auto' ? [] : [attribute('theme', theme)]),
  ]
  return [
    '<',
    ['tag', 'script'],
    ' ',
    ['attribute', 'async'],
    ' ',
    ...attribute('src', `${hosts.free}/page-preview.js`),
    '></',
    ['tag', 'script'],
    '>\n\n<',
    ['tag', 'page-preview'],
    '\n  ',
    ...joinParts(attributes, '\n  '),
    '\n>\n  ',
    ...link(query, [escapeHtml(new URL(query.url).host)]),
    '\n</',
    ['tag', 'page-preview'],
    '>',
  ]
}

function image({ query, hosts, picture }: SampleInput): CodePart[] {
  const attributes = [
    attribute('src', requestUrl(query, hosts)),
    ...(picture ? [attribute('width', String(picture.width)), attribute('height', String(picture.height))] : []),
    attribute('alt', `Screenshot of ${new URL(query.url).host}`),
    attribute('loading', 'lazy'),
  ]
  return link(query, ['\n  <', ['tag', 'img'], '\n    ', ...joinParts(attributes, '\n    '), '\n  >\n'])
}

function frame({ query, hosts }: SampleInput): CodePart[] {
  const attributes = [
    attribute('src', requestUrl(query, hosts)),
    attribute('title', `Preview of ${new URL(query.url).host}`),
    attribute('width', '402'),
    attribute('height', '400'),
    attribute('loading', 'lazy'),
  ]
  return ['<', ['tag', 'iframe'], '\n  ', ...joinParts(attributes, '\n  '), '\n></', ['tag', 'iframe'], '>']
}

const link = ({ url }: PageQuery, content: readonly CodePart[]): CodePart[] => [
  '<',
  ['tag', 'a'],
  ' ',
  ...attribute('href', url),
  '>',
  ...content,
  '</',
  ['tag', 'a'],
  '>',
]

const attribute = (name: string, value: string | undefined): CodePart[] =>
  value === undefined ? [['attribute', name]] : [['attribute', name], '=', ['string', `"${escapeHtml(value)}"`]]

/** `screenshot.fullPage` is `screenshot-full-page`: attributes know no dots and no capitals. */
const attributeName = (name: string) => name.replace(/[A-Z]/g, '-$&').replaceAll('.', '-').toLowerCase()

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
