import { fields, parseQuery, type PageQuery, type ParameterName } from '../../query/index.js'
import { shortDuration } from '../format-time.js'
import { joinParts, type CodePart } from './code-part.js'
import type { SampleInput } from './sample-input.js'
import { saidWords } from './said-words.js'

/** A React component that shows what the playground shows. */
export function reactCode({ query, layout, theme, hosts }: SampleInput): CodePart[] {
  const look = { ...(layout !== 'card' && { layout }), ...(theme !== 'auto' && { theme }), hosts: hosts.free }
  const props = [...saidProps(query), ...Object.entries(look)].map(([name, value]) => prop(name, value))
  return [
    ...imported(' { PagePreview } ', "'page-preview'"),
    ...imported(' ', "'page-preview/styles.css'"),
    '\n<',
    ['tag', 'PagePreview'],
    '\n  ',
    ...joinParts(props, '\n  '),
    '\n/>',
  ]
}

function imported(what: string, from: string): CodePart[] {
  const names: CodePart[] = what.trim() ? [what, ['keyword', 'from'], ' '] : [what]
  return [['keyword', 'import'], ...names, ['string', from], '\n']
}

/** The query as props, typed and nested as people write them, without what goes without saying. */
function saidProps(query: PageQuery): [string, unknown][] {
  const { embed, ...shown } = query
  // A component is no document: of `embed: 'html'` it would take the facts and build its own card.
  const { query: typed } = parseQuery(embed === 'html' ? shown : query)
  const said = saidWords(typed).map(([name]) => name)
  const placeOf = (prop: string) => said.findIndex((name) => name === prop || name.startsWith(`${prop}.`))
  return Object.entries(typed)
    .filter(([prop]) => placeOf(prop) >= 0)
    .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
    .map(([prop, value]): [string, unknown] => [prop, readable(prop, value)])
}

function readable(prop: string, value: unknown): unknown {
  const isDuration = Object.hasOwn(fields, prop) && /duration$/.test(fields[prop as ParameterName].type)
  return isDuration && typeof value === 'number' ? shortDuration(value) : value
}

function prop(name: string, value: unknown): CodePart[] {
  // `ping.audio` is no name for an attribute.
  if (name.includes('.')) return ['{...', ...literal({ [name]: value }, '  '), '}']
  if (value === true) return [['attribute', name]]
  // Entities are decoded and backslashes are not: https://react.dev/learn/writing-markup-with-jsx
  const isPlain = typeof value === 'string' && !/["&\n\r\t]/.test(value)
  if (isPlain) return [['attribute', name], '=', ['string', `"${value}"`]]
  return [['attribute', name], '={', ...literal(value, '  '), '}']
}

function literal(value: unknown, indent: string): CodePart[] {
  if (typeof value === 'string') return [['string', quoted(value)]]
  if (Array.isArray(value))
    return [
      '[',
      ...joinParts(
        value.map((part) => literal(part, indent)),
        ', ',
      ),
      ']',
    ]
  if (typeof value !== 'object' || !value) return [String(value)]
  const inner = `${indent}  `
  const parts: CodePart[] = ['{']
  for (const [key, part] of Object.entries(value))
    parts.push(`\n${inner}${/^[a-z_$][\w$]*$/i.test(key) ? key : quoted(key)}: `, ...literal(part, inner), ',')
  return [...parts, `\n${indent}}`]
}

const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
