import type { InputType } from 'storybook/internal/types'
import { isParameter, parameterHelp } from '../src/query/help/index.js'
import { fields, type Parameter, type ParameterName } from '../src/query/index.js'
import type { CaptureProps } from '../src/react/index.js'

/** What a caller of a component writes for one value of a parameter, beside the values of a choice. */
const TYPE_SUMMARIES: Readonly<Record<Parameter['type'], string>> = {
  boolean: 'boolean',
  choice: 'string',
  duration: "number | '12h'",
  embed: "boolean | 'html' | string",
  header: '{ [name]: string }',
  integer: 'number',
  number: 'number',
  paths: 'string | string[]',
  text: 'string',
  url: 'string',
}

/** Controls of the appearance, and a type that says more in a few words than as it is declared. */
export const stylingArgTypes: Record<string, InputType> = {
  layout: { control: 'inline-radio', options: ['card', 'row', 'image', 'inline'] },
  theme: { control: 'inline-radio', options: ['auto', 'light', 'dark'] },
  classNames: { table: { type: { summary: '{ [part]: string }' } } },
}

/** A row of the table of props, with a control, for every parameter of the query language except these. */
export function parameterArgTypes(...without: ParameterName[]): Record<string, InputType> {
  const names = Object.keys(fields) as ParameterName[]
  const rows = names.filter((name) => !without.includes(name)).map((name) => [name, argType(name)])
  return {
    ...Object.fromEntries([...GROUPS].map((name) => [name, WITHOUT_ROW])),
    ...Object.fromEntries(rows),
  }
}

/** Props that have a row for each of their options. */
const GROUPS = new Set(Object.keys(fields).flatMap((name) => name.match(/^.*(?=\.)/) ?? []))
const WITHOUT_ROW: InputType = { table: { disable: true } }

function argType(name: ParameterName): InputType {
  const parameter: Parameter = fields[name]
  const { type, values, min, max } = parameter
  const bounds = max && type !== 'duration' ? ` ${min} to ${max}.` : ''
  return {
    name,
    description: parameterHelp[name] + bounds,
    type: { name: 'other', value: type, required: name === 'url' },
    control: controlOf(parameter),
    ...(values && { options: values }),
    table: {
      category: 'Parameters of the query',
      type: { summary: values ? values.map((value) => JSON.stringify(value)).join(' | ') : typeSummary(parameter) },
      ...(parameter.default !== undefined && { defaultValue: { summary: defaultSummary(parameter) } }),
    },
  }
}

function typeSummary({ type, subKey, default: value }: Parameter): string {
  const summary = TYPE_SUMMARIES[type]
  if (type === 'text' && subKey) return `${summary} | ${summary}[]`
  if (type === 'boolean' && subKey) return `${summary} | { [field]: ${summary} }`
  return type === 'duration' && value === false ? `false | ${summary}` : summary
}

function controlOf({ type, values, min, max }: Parameter): InputType['control'] {
  if (values) return { type: 'select' }
  if (type === 'boolean') return { type: 'boolean' }
  if (type === 'integer' || type === 'number') return { type: 'number', min, max }
  return { type: type === 'header' ? 'object' : 'text' }
}

function defaultSummary({ type, default: value }: Parameter): string {
  if (type !== 'duration' || typeof value !== 'number') return JSON.stringify(value)
  return value % 3_600_000 ? `'${value / 1_000}s'` : `'${value / 3_600_000}h'`
}

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

/**
 * Writes `screenshot.fullPage` as a caller of a component does, `screenshot={{ fullPage: true }}`, and `scroll` as
 * `query={{ scroll: … }}`, so that the code of a story can be copied.
 */
export function nestedParameters<Props extends object>(args: Props): Props {
  const props: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    const [group, option] = name.split('.') as [string, string?]
    if (value === undefined || value === '') continue
    const target = isParameter(group) && !PROPS.includes(group) ? (props.query = { ...asObject(props.query) }) : props
    if (option) target[group] = { ...asObject(target[group]), [option]: value }
    else if (typeof target[name] !== 'object') target[name] = value
  }
  // The controls of Storybook add dotted names to the props, which their type does not have.
  return props as Props
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
