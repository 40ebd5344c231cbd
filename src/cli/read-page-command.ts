import { closest } from 'fastest-levenshtein'
import { parseArgs } from 'node:util'
import { fields, parseQuery, type PageQuery, type ParameterName } from '../query/index.js'
import { UsageError } from './usage-error.js'

/** The parsed command line `page-preview <url> …`. */
export interface PageCommand {
  query: PageQuery
  /** File for the embedded bytes. */
  output?: string | undefined
  endpoint?: string | undefined
  proEndpoint?: string | undefined
  apiKey?: string | undefined
  isVerbose: boolean
}

const COMMAND_FLAGS = {
  endpoint: { type: 'string' },
  'pro-endpoint': { type: 'string' },
  'api-key': { type: 'string' },
  output: { type: 'string', short: 'o' },
  verbose: { type: 'boolean' },
} as const

/**
 * Parses a URL and flags. Every parameter is a flag: `--element '#main'`, `--element=#main`, `--ping` (true),
 * `--ping.audio=false`, its name in camelCase, snake_case or kebab-case.
 *
 * @throws  {UsageError} for an unknown flag, naming the nearest known one.
 * @throws  {PageError} for an invalid value, as `parseQuery` does.
 */
export function readPageCommand(args: readonly string[]): PageCommand {
  const commandValues: Partial<Record<string, string>> = {}
  const parameters: [name: string, value: string][] = []
  for (const { flag, name, value } of readArguments(args)) {
    if (flag && !Object.hasOwn(COMMAND_FLAGS, name) && !isParameter(name))
      throw new UsageError(`${flag} is not a known flag; did you mean ${nearestFlag(flag)}?`)
    if (value === undefined) throw new UsageError(`${flag} needs a value.`)
    if (Object.hasOwn(COMMAND_FLAGS, name)) commandValues[name] = value
    else parameters.push([name, value])
  }
  if (commandValues.output && !parameters.some(([name]) => name === 'embed'))
    parameters.push(['screenshot', ''], ['embed', 'screenshot.url'])
  return {
    query: parseQuery(new URLSearchParams(parameters)).query,
    output: commandValues.output,
    endpoint: commandValues.endpoint,
    proEndpoint: commandValues['pro-endpoint'],
    apiKey: commandValues['api-key'],
    isVerbose: 'verbose' in commandValues,
  }
}

interface Argument {
  /** As it was written, with its dashes; absent for the URL. */
  flag?: string
  name: string
  /** Empty for a boolean flag without a value, absent when a value is missing. */
  value: string | undefined
}

function readArguments(args: readonly string[]): Argument[] {
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...parameterFlags(args), ...COMMAND_FLAGS },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const found: Argument[] = []
  let booleanFlag: Argument | undefined
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional' && booleanFlag && /^(true|false)$/.test(token.value)) {
      booleanFlag.value = token.value
      booleanFlag = undefined
    } else if (token.kind === 'positional') {
      found.push({ name: 'url', value: token.value })
      booleanFlag = undefined
    } else {
      const { rawName: flag, name, value } = token
      const isBoolean = isBooleanFlag(name)
      const argument = { flag, name, value: value ?? (isBoolean ? '' : undefined) }
      found.push(argument)
      booleanFlag = isBoolean && value === undefined ? argument : undefined
    }
  }
  return found
}

/** Declares the flags of one command line, because `headers.<name>` and list items have no fixed set of names. */
function parameterFlags(args: readonly string[]) {
  const names = args.flatMap((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? [])
  return Object.fromEntries(
    names.map((name) => [name, { type: isBooleanFlag(name) ? ('boolean' as const) : ('string' as const) }]),
  )
}

function isBooleanFlag(written: string): boolean {
  if (written === 'verbose') return true
  const name = written.replace(/(?<![-_])[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (/^(ping|meta)\./.test(name)) return true
  const parameter = [name, `screenshot.${name}`, name.replace(/^screenshot\./, '')].find(isFieldName)
  return parameter !== undefined && ['boolean', 'switches', 'embed'].includes(fields[parameter].type)
}

const isFieldName = (name: string): name is ParameterName => Object.hasOwn(fields, name)

function isParameter(name: string): boolean {
  const query = new URLSearchParams({ url: 'http://localhost/', [name]: 'true' })
  try {
    return parseQuery(query).warnings.length === 0
  } catch {
    // The value does not fit, so the parameter is known.
    return true
  }
}

const nearestFlag = (flag: string) =>
  closest(
    flag,
    [...Object.keys(fields), ...Object.keys(COMMAND_FLAGS)].map((name) => `--${name}`),
  )
