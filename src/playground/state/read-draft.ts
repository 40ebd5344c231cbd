import { fields, isPageError, PageError, parseQuery, type PageQuery, type ParameterName } from '../../query/index.js'
import type { FormWords } from './form-words.js'

/** What the texts of the form mean. */
export type Draft = { query: PageQuery; error?: undefined } | { query?: undefined; error: PageError }

export function readDraft(words: FormWords): Draft {
  try {
    const pairs = Object.entries(words).flatMap(([name, text]) => pairsOf(name, text))
    return { query: parseQuery(new URLSearchParams(pairs)).query }
  } catch (error) {
    if (!isPageError(error)) throw error
    return { error }
  }
}

/** The sentence for one control, when it is the one that is wrong. */
export function problemAt(control: string, { error }: Draft): string | undefined {
  const isHere = Object.keys(error?.data ?? {}).some((name) => name === control || name.startsWith(`${control}.`))
  return isHere ? error?.message : undefined
}

/** An address as people type it: without a scheme it is https. */
export function completeUrl(text: string): string {
  const trimmed = text.trim()
  return /^[\w-]+(\.[\w-]+)+([:/?#]|$)/.test(trimmed) ? `https://${trimmed}` : trimmed
}

function pairsOf(name: string, text: string): [string, string][] {
  if (name === 'headers') return linesOf(text).map(headerOf)
  const isList = Object.hasOwn(fields, name) && fields[name as ParameterName].type === 'list'
  const lines = linesOf(text)
  return isList && lines.length > 1 ? lines.map((line, at) => [`${name}.${at}`, line]) : [[name, text.trim()]]
}

function headerOf(line: string): [string, string] {
  const [, name, value] = /^([^:\s]+)\s*:(.*)$/.exec(line) ?? []
  if (!name || value === undefined) throw wrongHeader(`"${line}" is no header; write name: value, one per line.`)
  if (/^api[-_]?key$/i.test(name)) throw wrongHeader('The key of the service belongs into “Use a key”, above.')
  return [`headers.${name}`, value.trim()]
}

const wrongHeader = (sentence: string) => new PageError('EHEADERS', sentence, { data: { headers: sentence } })

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim())
