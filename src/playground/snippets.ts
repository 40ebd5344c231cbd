import { fields, type ParameterName, type ParsedQuery, requestUrl } from '../query/index.js'
import type { CaptureProps, Layout } from '../react/index.js'
import { durationValue } from './format-duration.js'
import type { Theme } from './playground-link.js'

/** What the code snippets are generated from. */
export interface SnippetInput {
  query: ParsedQuery
  layout: Layout
  theme: Theme
  /** Base URLs without a trailing slash. */
  endpoint: { free: string; pro: string }
  /** Whether to use the pro host; snippets never contain the key itself. */
  hasKey: boolean
  /** Pixels; `undefined` before the first response. */
  imageSize?: { width: number; height: number } | undefined
}

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

/** The parameters that are props of their own. */
const PROPS: readonly string[] = [
  'url',
  'screenshot',
  'element',
  'overlay',
  'embed',
  'device',
  'ttl',
  'staleTtl',
] satisfies (keyof CaptureProps)[]

/** A React component with the query as props, and what is no prop of its own in `query`. */
export function reactSnippet({ query, layout, theme, endpoint }: SnippetInput): CodeToken[] {
  const appearance = { ...(layout !== 'card' && { layout }), ...(theme !== 'auto' && { theme }) }
  const props = [...queryProps(query), ...Object.entries({ ...appearance, endpoint: endpoint.free })]
  return [
    ...importStatement(' { PagePreview } ', "'page-preview'"),
    ...importStatement(' ', "'page-preview/styles.css'"),
    '\n<',
    ['tag', 'PagePreview'],
    '\n  ',
    ...joinTokens(
      props.map(([name, value]) => propTokens(name, value)),
      '\n  ',
    ),
    '\n/>',
  ]
}

function importStatement(names: string, from: string): CodeToken[] {
  const clause: CodeToken[] = names.trim() ? [names, ['keyword', 'from'], ' '] : [names]
  return [['keyword', 'import'], ...clause, ['string', from], '\n']
}

/** The query as typed, nested props without defaults, in the order of the parameter table; the prop `query` is the last one. */
function queryProps(query: ParsedQuery): [name: string, value: unknown][] {
  // A component renders its own card, so it cannot use the HTML card of the service.
  const shownQuery = query.query.embed === 'html' ? query.with({ embed: undefined }) : query
  const flatNames = flatParameters(shownQuery).map(([name]) => name)
  const orderOf = (prop: string) => flatNames.findIndex((name) => name === prop || name.startsWith(`${prop}.`))
  const entries = Object.entries(shownQuery.query)
    .filter(([prop]) => orderOf(prop) >= 0)
    .toSorted(([one], [other]) => orderOf(one) - orderOf(other))
    .map(([prop, value]): [string, unknown] => [prop, withUnit(prop, value)])
  const others = entries.filter(([name]) => !PROPS.includes(name))
  const props = entries.filter(([name]) => PROPS.includes(name))
  return others.length ? [...props, ['query', Object.fromEntries(others)]] : props
}

function withUnit(prop: string, value: unknown): unknown {
  const isDuration = Object.hasOwn(fields, prop) && fields[prop as ParameterName].type.endsWith('duration')
  return isDuration && typeof value === 'number' ? durationValue(value) : value
}

function propTokens(name: string, value: unknown): CodeToken[] {
  if (value === true) return [['attribute', name]]
  // JSX decodes entities in attribute strings, but no backslashes: https://react.dev/learn/writing-markup-with-jsx
  const isPlainString = typeof value === 'string' && !/["&\n\r\t]/.test(value)
  if (isPlainString) return [['attribute', name], '=', ['string', `"${value}"`]]
  return [['attribute', name], '={', ...literal(value, '  '), '}']
}

function literal(value: unknown, indent: string): CodeToken[] {
  if (typeof value === 'string') return [['string', quote(value)]]
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, indent))
    return ['[', ...joinTokens(items, ', '), ']']
  }
  if (typeof value !== 'object' || !value) return [String(value)]
  const inner = `${indent}  `
  const tokens: CodeToken[] = ['{']
  for (const [key, item] of Object.entries(value))
    tokens.push(`\n${inner}${/^[a-z_$][\w$]*$/i.test(key) ? key : quote(key)}: `, ...literal(item, inner), ',')
  return [...tokens, `\n${indent}}`]
}

const quote = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** The request as a `curl` command. */
export function curlSnippet({ query, endpoint, hasKey }: SnippetInput): CodeToken[] {
  const parameters = flatParameters(query).map(([name, value]): Argument => {
    const isPlain = PLAIN.test(value) && PLAIN.test(name)
    if (isPlain) return { flag: '-d ', value: value === 'true' ? name : `${name}=${value}` }
    return { flag: '--data-urlencode ', value: `${encodeURIComponent(name)}=${value}`, quotes: "'" }
  })
  return command(`curl -G ${hasKey ? endpoint.pro : endpoint.free}/`, [
    ...(hasKey ? [apiKeyArgument('-H ', 'x-api-key: ')] : []),
    ...parameters,
    ...outputArgument(query),
  ])
}

/** The request as a command of this package; the endpoint is left out if it is the default. */
export function cliSnippet({ query, endpoint, hasKey }: SnippetInput): CodeToken[] {
  const parameters = flatParameters(query)
    .filter(([name]) => name !== 'url')
    .map(([name, value]): Argument => {
      if (!PLAIN.test(name)) return { flag: '', value: `--${name}=${value}` }
      return value === 'true' ? { flag: `--${name}`, value: '' } : { flag: `--${name}=`, value }
    })
  const [endpointFlag, defaultHost, host] = hasKey
    ? ['--pro-endpoint ', 'http://127.0.0.1:3001', endpoint.pro]
    : ['--endpoint ', 'http://127.0.0.1:3000', endpoint.free]
  const commandArguments = [
    ...parameters,
    ...(host === defaultHost ? [] : [{ flag: endpointFlag, value: host }]),
    ...(hasKey ? [apiKeyArgument('--api-key ', '')] : []),
    ...outputArgument(query),
  ]
  return command('npx page-preview ', commandArguments, query.query.url)
}

interface Argument {
  flag: string
  value: string
  /** Within double quotes the shell expands variables. Default: single quotes, if they are needed. */
  quotes?: "'" | '"'
}

/** Needs neither quotes nor URL encoding. */
const PLAIN = /^[\w.:-]+$/
/** Needs no quotes. */
const UNQUOTED = /^[\w.:/=-]*$/

const apiKeyArgument = (flag: string, prefix: string): Argument => ({
  flag,
  value: `${prefix}$PAGE_PREVIEW_API_KEY`,
  quotes: '"',
})

/** An image of the page has the type that it was published in. */
function outputArgument(parsed: ParsedQuery): Argument[] {
  const [, field] = /^(true|screenshot|image|logo)(\.url)?$/.exec(String(parsed.query.embed)) ?? []
  if (!field) return []
  const parameters = new Map(flatParameters(parsed))
  const isOfPage = ['image', 'logo'].includes(field)
  const type = parameters.get('variant.type') ?? (isOfPage ? undefined : (parameters.get('screenshot.type') ?? 'jpg'))
  return [{ flag: '-o ', value: type ? `image.${type}` : 'image' }]
}

/** Short arguments share a line; every other argument gets its own. */
function command(start: string, commandArguments: readonly Argument[], subject?: string): CodeToken[] {
  const tokens: CodeToken[] = [start, ...(subject === undefined ? [] : shellWord(subject))]
  let previous: Argument | undefined
  for (const argument of commandArguments) {
    const sharesLine = previous && isShort(previous) && isShort(argument)
    tokens.push(sharesLine ? ' ' : ' \\\n  ', argument.flag, ...shellWord(argument.value, argument.quotes))
    previous = argument
  }
  return tokens
}

const isShort = ({ value, quotes }: Argument) => !quotes && UNQUOTED.test(value) && value.length < 40

function shellWord(value: string, quotes?: Argument['quotes']): CodeToken[] {
  if (quotes === '"') return [['string', `"${value}"`]]
  return [!quotes && UNQUOTED.test(value) ? value : ['string', `'${value.replaceAll("'", "'\\''")}'`]]
}

const PARAMETER_NAMES = Object.keys(fields)

/**
 * The parameters of a query as flat names and texts, without defaults, in the order of the parameter table. Includes
 * `screenshot` if the canonical text leaves it out because an option such as `element` implies it.
 */
function flatParameters({ text, query }: ParsedQuery): [name: string, value: string][] {
  const parameters = [...new URLSearchParams(text)]
  const isImplied = query.screenshot && !parameters.some(([name]) => name.startsWith('screenshot'))
  if (isImplied) parameters.push(['screenshot', 'true'])
  return parameters.toSorted(([one], [other]) => orderOf(one) - orderOf(other))
}

/** `headers.accept` and `click.0` have the position of `headers` and `click`. */
const orderOf = (name: string) =>
  PARAMETER_NAMES.indexOf(PARAMETER_NAMES.includes(name) ? name : (name.split('.')[0] ?? name))

/** A piece of code: plain, or with the kind that determines its colour. */
export type CodeToken = string | readonly [kind: 'keyword' | 'string' | 'tag' | 'attribute' | 'comment', text: string]

/** The code as plain text. */
export const codeText = (tokens: readonly CodeToken[]): string =>
  tokens.map((token) => (typeof token === 'string' ? token : token[1])).join('')

/** Concatenates lists of tokens with a separator, like `Array.join`. */
const joinTokens = (lists: readonly (readonly CodeToken[])[], separator: string): CodeToken[] =>
  lists.flatMap((tokens, index) => (index ? [separator, ...tokens] : [...tokens]))
