import { fields, type ParameterName, type ParsedQuery } from '../../query/index.js'
import { durationValue } from '../format-duration.js'
import { joinTokens, type CodeToken } from './code-token.js'
import { flatParameters } from './flat-parameters.js'
import type { SnippetInput } from './snippet-input.js'
import type { CaptureProps } from '../../react/index.js'

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
