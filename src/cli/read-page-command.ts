import { closest } from 'fastest-levenshtein'
import { parseArgs } from 'node:util'
import { commandArguments, commandFlags, isParameterName, type CommandArgument } from '../query/help/index.js'
import { fields, parseQuery, type PageQuery } from '../query/index.js'
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
    if (flag && !Object.hasOwn(COMMAND_FLAGS, name) && !isParameterName(name))
      throw new UsageError(`${flag} is not a known flag; did you mean ${nearestFlag(flag)}?`)
    if (value === undefined) throw new UsageError(`${flag} needs a value.`)
    if (Object.hasOwn(COMMAND_FLAGS, name)) commandValues[name] = value
    else parameters.push([flag ? name : 'url', value])
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

function readArguments(args: readonly string[]): CommandArgument[] {
  const { tokens } = parseArgs({
    args: [...args],
    options: commandFlags(args, COMMAND_FLAGS),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  return commandArguments(tokens, COMMAND_FLAGS)
}

const nearestFlag = (flag: string) =>
  closest(
    flag,
    [...Object.keys(fields), ...Object.keys(COMMAND_FLAGS)].map((name) => `--${name}`),
  )
