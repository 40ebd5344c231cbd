import { fields, isPageError, PageError, parseQuery, type ParameterName, type ParsedQuery } from '../../query/index.js'
import type { FormValues } from './form-values.js'

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
  const isList = Object.hasOwn(fields, name) && fields[name as ParameterName].type === 'list'
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
