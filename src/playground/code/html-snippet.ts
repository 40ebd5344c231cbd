import { requestUrl, type ParsedQuery } from '../../query/index.js'
import { joinTokens, type CodeToken } from './code-token.js'
import { flatParameters } from './flat-parameters.js'
import type { SnippetInput } from './snippet-input.js'

/** The script tag with its element; for an embedded image also an `<img>` without script, and for embedded HTML an `<iframe>`. */
export function htmlSnippet(input: SnippetInput): CodeToken[] {
  const { embed } = input.query.query
  if (embed === 'html') return iframe(input)
  if (!embed) return scriptAndElement(input)
  return [
    ...scriptAndElement(input),
    '\n\n',
    ['comment', '<!-- or, without any script -->'],
    '\n',
    ...linkedImage(input),
  ]
}

function scriptAndElement({ query, layout, theme, endpoint }: SnippetInput): CodeToken[] {
  const parameters = flatParameters(query).map(([name, value]) =>
    attribute(attributeName(name), value === 'true' ? undefined : value),
  )
  const attributes = [
    ...parameters,
    ...(layout === 'card' ? [] : [attribute('layout', layout)]),
    ...(theme === 'auto' ? [] : [attribute('theme', theme)]),
  ]
  return [
    '<',
    ['tag', 'script'],
    ' ',
    ['attribute', 'async'],
    ' ',
    ...attribute('src', `${endpoint.free}/page-preview.js`),
    '></',
    ['tag', 'script'],
    '>\n\n<',
    ['tag', 'page-preview'],
    '\n  ',
    ...joinTokens(attributes, '\n  '),
    '\n>\n  ',
    ...link(query, [escapeHtml(hostOf(query))]),
    '\n</',
    ['tag', 'page-preview'],
    '>',
  ]
}

function linkedImage({ query, endpoint, imageSize }: SnippetInput): CodeToken[] {
  const size = imageSize
    ? [attribute('width', String(imageSize.width)), attribute('height', String(imageSize.height))]
    : []
  const attributes = [
    attribute('src', requestUrl(query, endpoint)),
    ...size,
    attribute('alt', `Screenshot of ${hostOf(query)}`),
    attribute('loading', 'lazy'),
  ]
  return link(query, ['\n  <', ['tag', 'img'], '\n    ', ...joinTokens(attributes, '\n    '), '\n  >\n'])
}

function iframe({ query, endpoint }: SnippetInput): CodeToken[] {
  const attributes = [
    attribute('src', requestUrl(query, endpoint)),
    attribute('title', `Preview of ${hostOf(query)}`),
    attribute('width', '402'),
    attribute('height', '400'),
    attribute('loading', 'lazy'),
  ]
  return ['<', ['tag', 'iframe'], '\n  ', ...joinTokens(attributes, '\n  '), '\n></', ['tag', 'iframe'], '>']
}

const hostOf = ({ query }: ParsedQuery) => new URL(query.url).host

const link = ({ query }: ParsedQuery, content: readonly CodeToken[]): CodeToken[] => [
  '<',
  ['tag', 'a'],
  ' ',
  ...attribute('href', query.url),
  '>',
  ...content,
  '</',
  ['tag', 'a'],
  '>',
]

const attribute = (name: string, value: string | undefined): CodeToken[] =>
  value === undefined ? [['attribute', name]] : [['attribute', name], '=', ['string', `"${escapeHtml(value)}"`]]

/** `screenshot.fullPage` becomes `screenshot-full-page`, since attributes are case-insensitive. */
const attributeName = (name: string) => name.replace(/[A-Z]/g, '-$&').replaceAll('.', '-').toLowerCase()

/** Escapes text, and values of double-quoted attributes. */
const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
