import { isScreenshotOption } from '../query/help/index.js'
import {
  fields,
  isPageError,
  PageError,
  type Parameter,
  type ParameterName,
  type ParsedQuery,
  parseQuery,
} from '../query/index.js'

/** Texts of the form by parameter; a parameter with its default is missing. `headers` and lists have one entry per line. */
export type FormValues = Readonly<Record<string, string>>

/** The parameters that consist of one switch per metadata field. */
export type SwitchGroup = 'ping' | 'meta'

/** Sets one parameter. An option of `screenshot` switches the screenshot on, and is removed together with it. */
export function setValue(values: FormValues, name: string, text: string): FormValues {
  const { [name]: _, ...others } = values
  const isDefault = text === '' || text === defaultText(name)
  if (!isDefault) return { ...others, [name]: text, ...(needsScreenshot([name, text]) && { screenshot: 'true' }) }
  return name === 'screenshot'
    ? Object.fromEntries(Object.entries(others).filter((entry) => !needsScreenshot(entry)))
    : others
}

/** Turns one field of `ping` or `meta` on or off; `allFields` are all that the form offers. */
export function setField(
  values: FormValues,
  group: SwitchGroup,
  { field, isOn, allFields }: { field: string; isOn: boolean; allFields: readonly string[] },
): FormValues {
  const disabled = allFields.filter((other) => (other === field ? !isOn : !isFieldOn(values, group, other)))
  const others = Object.entries(values).filter(([name]) => name !== group && !name.startsWith(`${group}.`))
  const entries =
    disabled.length === allFields.length ? [[group, 'false']] : disabled.map((field) => [`${group}.${field}`, 'false'])
  return Object.fromEntries([...others, ...entries])
}

export function isFieldOn(values: FormValues, group: SwitchGroup, field: string): boolean {
  return (values[`${group}.${field}`] ?? values[group]) !== 'false'
}

/** Changes the URL, without the selectors of the previous page. */
export function changePage(values: FormValues, url: string): FormValues {
  const portable = Object.entries(values).filter(([name]) => !PAGE_SPECIFIC.has(name))
  return { ...Object.fromEntries(portable), url }
}

/** The default as text; `''` when there is none. */
export function defaultText(name: string): string {
  return Object.hasOwn(fields, name) ? String(fields[name as ParameterName].default ?? '') : ''
}

const PAGE_SPECIFIC = new Set([
  'url',
  'element',
  'screenshot.clip',
  'waitForSelector',
  'click',
  'scroll',
  'title.pick',
  'image.pick',
])

function needsScreenshot([name, text]: readonly [string, string]): boolean {
  return isScreenshotOption(name) || (name === 'embed' && text === 'true')
}

/** The query of the form, or the reason why there is none. */
export type ParsedForm = { query: ParsedQuery; error?: undefined } | { query?: undefined; error: PageError }

export function parseForm(values: FormValues): ParsedForm {
  try {
    const entries = Object.entries(values).flatMap(([name, text]) => toEntries(name, text))
    return { query: parseQuery(new URLSearchParams(entries)) }
  } catch (error) {
    if (!isPageError(error)) throw error
    return { error }
  }
}

/** The error message of one control; `undefined` when the error concerns another one. */
export function errorMessageFor(control: string, { error }: ParsedForm): string | undefined {
  const names = Object.keys(error?.data ?? {})
  const isConcerned = names.some((name) => name === control || name.startsWith(`${control}.`))
  return isConcerned ? error?.message : undefined
}

function toEntries(name: string, text: string): [name: string, value: string][] {
  const lines = text.split('\n').filter((line) => line.trim())
  if (name === 'headers') return lines.map(parseHeader)
  const field: Parameter | undefined = Object.hasOwn(fields, name) ? fields[name as ParameterName] : undefined
  const isList = field?.type === 'text' && field.subKey
  return isList && lines.length > 1 ? lines.map((line, index) => [`${name}.${index}`, line]) : [[name, text.trim()]]
}

function parseHeader(line: string): [name: string, value: string] {
  const [, name, value] = /^([^:\s]+)\s*:(.*)$/.exec(line) ?? []
  if (!name || value === undefined) throw headerError(`"${line}" is not a header. Write one per line, as name: value.`)
  if (/^api[-_]?key$/i.test(name))
    throw headerError('Headers are sent to the page. Enter the key of the service with “Use an API key” at the top.')
  return [`headers.${name}`, value.trim()]
}

const headerError = (message: string) => new PageError('EHEADERS', message, { data: { headers: message } })
