import { parseArgs } from 'node:util'
import {
  commandArguments,
  commandFlags,
  completeUrl,
  isParameterName,
  nearestName,
  parseSearch,
  type CommandArgument,
} from '../query/help/index.js'
import { fields, type ParsedQuery } from '../query/index.js'
import { SERVER_COMMANDS } from './run-server-command.js'
import { UsageError } from './usage-error.js'

/** The parsed command line `page-preview <url> …`. */
export interface PageCommand {
  parsed: ParsedQuery
  /** File for the embedded bytes. */
  output?: string | undefined
  endpoint?: string | undefined
  proEndpoint?: string | undefined
  apiKey?: string | undefined
  isVerbose: boolean
}

type Parameter = [name: string, value: string]

const COMMANDS = ['snippet', 'help', ...SERVER_COMMANDS]
const MAX_COMMAND_DISTANCE = 2

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
  const parameters: Parameter[] = []
  for (const { flag, name, value } of readArguments(args)) {
    if (flag && !Object.hasOwn(COMMAND_FLAGS, name) && !isParameterName(name))
      throw new UsageError(`${flag} is not a known flag; did you mean ${nearestFlag(flag)}?`)
    if (value === undefined) throw new UsageError(`${flag} needs a value.`)
    if (Object.hasOwn(COMMAND_FLAGS, name)) commandValues[name] = value
    else parameters.push(flag ? [name, value] : ['url', completeUrl(value)])
  }
  const { output } = commandValues
  if (output && !parameters.some(([name]) => name === 'embed'))
    parameters.push(['screenshot', ''], ['embed', 'screenshot.url'])
  if (output) parameters.push(...typeOfFile(output, parameters))
  assertAddress(parameters)
  return {
    parsed: parseSearch(new URLSearchParams(parameters)).parsed,
    output,
    endpoint: commandValues.endpoint,
    proEndpoint: commandValues['pro-endpoint'],
    apiKey: commandValues['api-key'],
    isVerbose: 'verbose' in commandValues,
  }
}

/** The image has the type of its file name extension, unless a flag names another one. */
function typeOfFile(output: string, parameters: readonly Parameter[]): Parameter[] {
  const [, extension] = /\.(jpg|jpeg|png|webp|avif)$/i.exec(output) ?? []
  if (!extension || parameters.some(([name]) => /(^|\.)type$/.test(name))) return []
  const type = extension.toLowerCase().replace('jpeg', 'jpg')
  const [, embed = ''] = parameters.find(([name]) => name === 'embed') ?? []
  if (/^(true|screenshot(\.url)?)?$/.test(embed)) return [['screenshot.type', type]]
  return /^(image|logo)(\.url)?$/.test(embed) ? [['variant.type', type]] : []
}

/** An operand that is not a URL is most probably a command. */
function assertAddress(parameters: readonly Parameter[]): void {
  const [, word = ''] = parameters.find(([name]) => name === 'url') ?? []
  if (!/^[a-z]+$/i.test(word)) return
  const command = nearestName(word, COMMANDS, MAX_COMMAND_DISTANCE)
  throw new UsageError(
    command
      ? `There is no command "${word}"; did you mean ${command}?`
      : `"${word}" is neither a command nor the URL of a page, such as https://example.com.`,
  )
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
  nearestName(
    flag,
    [...Object.keys(fields), ...Object.keys(COMMAND_FLAGS)].map((name) => `--${name}`),
  )
