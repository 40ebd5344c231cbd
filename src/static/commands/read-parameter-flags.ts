import { UsageError } from '../../server/commands/index.js'
import { parseArgs } from 'node:util'
import {
  commandArguments,
  commandFlags,
  isParameterName,
  nearestName,
  type CommandFlags,
} from '../../query/help/index.js'
import { fields, isPageError, parseQuery, type PageQuery } from '../../query/index.js'

/** A command line whose flags are its own or parameters. */
export interface ParameterFlags<Flag extends string> {
  /** The values of one of the own flags, in order; empty when it is not set. */
  valuesOf: (flag: Flag) => readonly string[]
  /** Whether one of the own boolean flags is set. */
  isSet: (flag: Flag) => boolean
  /** The parameters in canonical form, without `url`. */
  parameters: Omit<PageQuery, 'url'>
  operands: string[]
}

const ANY_URL = 'http://localhost/'

/** @throws  {UsageError} for an unknown flag, naming the nearest known one, and for an invalid value. */
export function readParameterFlags<const Flags extends CommandFlags>(
  args: readonly string[],
  ownFlags: Flags,
): ParameterFlags<keyof Flags & string> {
  const values = new Map<string, string[]>()
  const parameters: [name: string, value: string][] = []
  const operands: string[] = []
  for (const { flag, name, value } of readArguments(args, ownFlags)) {
    if (flag === undefined) operands.push(value!)
    else if (!Object.hasOwn(ownFlags, name) && (name === 'url' || !isParameterName(name)))
      throw new UsageError(`${flag} is not a known flag; did you mean ${nearestFlag(flag, ownFlags)}?`)
    else if (value === undefined) throw new UsageError(`${flag} needs a value.`)
    else if (Object.hasOwn(ownFlags, name)) values.set(name, [...(values.get(name) ?? []), value])
    else parameters.push([name, value])
  }
  const valuesOf = (flag: string) => values.get(flag) ?? []
  return {
    valuesOf,
    isSet: (flag) => /^(true)?$/.test(valuesOf(flag).at(-1) ?? 'false'),
    parameters: parseParameters(parameters),
    operands,
  }
}

function readArguments(args: readonly string[], ownFlags: CommandFlags) {
  const options = commandFlags(args, ownFlags)
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  return commandArguments(tokens, ownFlags)
}

function parseParameters(parameters: [name: string, value: string][]): Omit<PageQuery, 'url'> {
  try {
    const { url: _, ...query } = parseQuery(new URLSearchParams([...parameters, ['url', ANY_URL]])).query
    return query
  } catch (error) {
    if (isPageError(error)) throw new UsageError(`${error.message} (${error.code})`, { cause: error })
    throw error
  }
}

const nearestFlag = (flag: string, ownFlags: CommandFlags) =>
  nearestName(
    flag,
    [...Object.keys(fields), ...Object.keys(ownFlags)].filter((name) => name !== 'url').map((name) => `--${name}`),
  )
