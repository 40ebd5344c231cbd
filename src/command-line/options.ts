import { parseArgs } from 'node:util'
import { nearestName, parameterFlag } from '../query/help/index.js'
import { canParseUrl } from '../query/written-url.js'
import { fields } from '../query/index.js'
import { hasPassword, readSecret, secretFileVariable, type Environment } from './secrets.js'

/**
 * One option of a command. Its name in kebab-case is the flag, `--data-dir` for `dataDir`. Without a placeholder it takes no value,
 * and is false unless it is set.
 */
interface OptionRow {
  /** Name of the value in the help text. */
  placeholder?: string
  /** One letter, for `-o`. */
  short?: string
  /** The default value, as it would be written after the flag. */
  default?: string | number
  /** Whether the environment sets it if no flag does, as `PAGE_PREVIEW_` and the name in upper case. */
  hasVariable?: boolean
  /** Whether it may contain a password, which is then better read from the file that its variable with `_FILE` names. */
  isSecret?: boolean
  help: string
}

/**
 * `parse` throws an error whose message completes a sentence that begins with the flag: `must be a whole number`. The last value
 * counts, unless an option is repeatable.
 */
export type Option = OptionRow &
  (
    | { isRepeatable?: false; parse?: (text: string) => unknown }
    | { isRepeatable: true; parse?: (texts: readonly string[]) => unknown }
  )

/** The single source of the options of a command: flags, environment variables, validation, help text and docs follow from it. */
export type OptionTable = Readonly<Record<string, Option>>

type ValueOf<Row> = Row extends { placeholder: string }
  ? Row extends { parse: (text: never) => infer Value }
    ? Value
    : Row extends { isRepeatable: true }
      ? string[]
      : string
  : boolean

type AlwaysSet<Options> = {
  [Name in keyof Options]: Options[Name] extends { placeholder: string }
    ? Options[Name] extends { default: string | number }
      ? Name
      : never
    : Name
}[keyof Options]

/** The values of options by name; one without a default is absent unless it is set. */
export type Values<Options> = { [Name in AlwaysSet<Options>]: ValueOf<Options[Name]> } & {
  [Name in Exclude<keyof Options, AlwaysSet<Options>>]?: ValueOf<Options[Name]>
}

/** What the arguments of a command mean. */
export interface CommandLine<Options extends OptionTable> {
  values: Values<Options>
  operands: string[]
  /** The flags that are parameters, in order, with `true` for those without a value. */
  parameters: [name: string, value: string][]
  /** Options with a password among the arguments, which others can read in the list of processes. */
  exposedPasswords: string[]
  /** A sentence for each. */
  mistakes: string[]
}

/** The command line is invalid; the message names each mistake and its correction. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}

/** @returns  `--data-dir` for `dataDir`. */
export const optionFlag = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** @returns  `PAGE_PREVIEW_DATA_DIR` for `dataDir`. */
export const optionVariable = (name: string): string =>
  `PAGE_PREVIEW_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/** Options that the environment may set too. */
export const withVariables = <const Options extends OptionTable>(options: Options) =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, hasVariable: true }])) as {
    readonly [Name in keyof Options]: Options[Name] & { readonly hasVariable: true }
  }

/** Each option as it is written, and what the help text and the docs say about it. */
export const optionRows = (options: OptionTable): [flag: string, text: string][] =>
  Object.entries(options).map(([name, option]) => {
    const { short, placeholder, default: value = '', help } = option
    const flag = [short && `-${short},`, optionFlag(name), placeholder].filter(Boolean).join(' ')
    return [flag, `${help}${value === '' ? '' : `; default ${value}`}${variableHint(name, option)}`]
  })

function variableHint(name: string, { hasVariable, isSecret }: Option): string {
  if (!hasVariable) return ''
  const variable = optionVariable(name)
  return isSecret ? ` (${variable}, or its file in ${secretFileVariable(variable)})` : ` (${variable})`
}

/** The options of a command, and whether parameters of the query language are flags too, `url` among them. */
interface Flags<Options extends OptionTable = OptionTable> {
  options: Options
  parameters?: 'all' | 'without url' | undefined
}

/**
 * Reads the arguments of a command; the environment supplies options without a flag. A value that begins with two dashes is
 * written as `--flag=--value`; a flag that takes no value may be followed by `true` or `false`.
 */
export function readArguments<const Options extends OptionTable>(
  command: Flags<Options>,
  args: readonly string[],
  env: Environment,
): CommandLine<Options> {
  const { flags, parameters, operands, mistakes } = splitArguments(command, args)
  const values: Record<string, unknown> = {}
  const exposedPasswords: string[] = []
  for (const [name, option] of Object.entries<Option>(command.options)) {
    const ofOption = flags.filter((flag) => flag.name === name)
    if (ofOption.some(({ value }) => hasPassword(value))) exposedPasswords.push(name)
    try {
      const text = textOf(name, option, { flags: ofOption, env })
      if (text) values[name] = parseOption(option, text)
      else if (option.placeholder === undefined) values[name] = false
    } catch (error) {
      mistakes.push(`${messageOf(error)}.`)
    }
  }
  return {
    // Built name by name from the table that its type mirrors.
    values: values as Values<Options>,
    operands,
    parameters: parameters.map(({ name, value }) => [name, value]),
    exposedPasswords,
    mistakes,
  }
}

interface WrittenFlag {
  /** The flag with its dashes. */
  flag: string
  /** The name of an option as in the table, or of a parameter as the caller wrote it. */
  name: string
  value: string
}

function splitArguments(command: Flags, args: readonly string[]) {
  const flags: WrittenFlag[] = []
  const parameters: WrittenFlag[] = []
  const operands: string[] = []
  const mistakes: string[] = []
  let bareFlag: WrittenFlag | undefined
  for (const token of tokensOf(command, args)) {
    const flagBefore = bareFlag
    bareFlag = undefined
    if (token.kind === 'option') {
      const { option, type } = meaningOf(token.name, command)
      const value = token.value ?? (type === 'boolean' ? 'true' : undefined)
      if (type === undefined) mistakes.push(unknownFlag(token.rawName, command))
      else if (value === undefined) mistakes.push(`${token.rawName} needs a value.`)
      else {
        const written = { flag: token.rawName, name: option ?? token.name, value }
        const kind = option === undefined ? parameters : flags
        kind.push(written)
        if (token.value === undefined) bareFlag = written
      }
    } else if (token.kind === 'positional') {
      if (flagBefore && /^(true|false)$/.test(token.value)) flagBefore.value = token.value
      else operands.push(token.value)
    }
  }
  return { flags, parameters, operands, mistakes }
}

/** The tokens of `parseArgs`, but a flag takes no other flag for its value. */
function* tokensOf(command: Flags, args: readonly string[]): Generator<Token> {
  for (const token of parse(command, args)) {
    if (token.kind === 'option' && token.inlineValue === false && token.value.startsWith('--')) {
      yield { ...token, value: undefined, inlineValue: undefined }
      yield* tokensOf(command, args.slice(token.index + 1))
      return
    }
    yield token
  }
}

type Token = ReturnType<typeof parse>[number]

/** `parseArgs` gets the flags of one command line, because parameters such as `headers.<name>` have no fixed set of names. */
function parse(command: Flags, args: readonly string[]) {
  const written = args.flatMap((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? [])
  const flags = written.map((flag) => [flag, { type: meaningOf(flag, command).type ?? ('string' as const) }] as const)
  const shortFlags = Object.entries(command.options).flatMap(([name, { short }]) =>
    short ? [[optionFlag(name).slice('--'.length), { type: 'string' as const, short }] as const] : [],
  )
  // Not strict, because strict parsing stops at the first mistake, and calls operands positional arguments.
  return parseArgs({
    args: [...args],
    options: { ...Object.fromEntries(flags), ...Object.fromEntries(shortFlags) },
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens
}

/** Which option a flag without its dashes names, if it is not a parameter; and its type, if it is either. */
function meaningOf(
  flag: string,
  { options, parameters }: Flags,
): { option?: string; type?: 'boolean' | 'string' | undefined } {
  for (const [option, { placeholder }] of Object.entries(options))
    if (optionFlag(option) === `--${flag}`) return { option, type: placeholder === undefined ? 'boolean' : 'string' }
  if (parameters === undefined || (parameters === 'without url' && flag === 'url')) return {}
  return { type: parameterFlag(flag) }
}

/** The sentence for a flag that a command does not have. */
export function unknownFlag(flag: string, { options, parameters }: Flags): string {
  const parameterFlags = Object.keys(fields).flatMap((name) =>
    [name, name.replace(/^screenshot\./, '')].map((spelling) => `--${spelling}`),
  )
  const offered = parameters === 'all' ? parameterFlags : parameterFlags.filter((name) => name !== '--url')
  const flags = [...(parameters ? offered : []), ...Object.keys(options).map(optionFlag)]
  const nearest = nearestName(flag, flags)
  return `Unknown flag ${flag}.${nearest ? ` Did you mean ${nearest}?` : ''}`
}

/** The values of one option as they are written, and the flag or variable that sets them. */
interface OptionText {
  values: string[]
  source: string
}

/** @throws  Error with a sentence without its full stop when the file of a secret cannot be used. */
function textOf(
  name: string,
  option: Option,
  { flags, env }: { flags: readonly WrittenFlag[]; env: Environment },
): OptionText | undefined {
  const last = flags.at(-1)
  if (last) return { values: flags.map(({ value }) => value), source: last.flag }
  const variable = optionVariable(name)
  const value = option.hasVariable && (option.isSecret ? readSecret(variable, env) : env[variable])
  if (value) {
    const fileVariable = secretFileVariable(variable)
    return { values: [value], source: option.isSecret && env[fileVariable] ? fileVariable : variable }
  }
  return option.default === undefined ? undefined : { values: [String(option.default)], source: optionFlag(name) }
}

function parseOption(option: Option, { values, source }: OptionText): unknown {
  const last = values.at(-1)!
  try {
    if (option.placeholder === undefined) return parseBoolean(last)
    if (option.isRepeatable) return option.parse ? option.parse(values) : values
    return option.parse ? option.parse(last) : last
  } catch (cause) {
    throw new Error(`${source} ${messageOf(cause)}`, { cause })
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function parseBoolean(text: string): boolean {
  if (/^(true|false|1|0)$/.test(text)) return /^(true|1)$/.test(text)
  throw new Error(`must be true or false, not "${text}"`)
}

/** A value of `parse`: one of several names. */
export const choice =
  <const Name extends string>(...names: readonly Name[]) =>
  (text: string): Name => {
    const name = names.find((each) => each === text)
    if (name) return name
    throw new Error(`must be one of ${names.join(', ')}, not "${text}"`)
  }

/** A value of `parse`: a whole number. */
export const wholeNumber =
  ({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= min && number <= max) return number
    throw new Error(`must be a whole number ${min > 0 ? `from ${min} to ${max}` : `up to ${max}`}, not "${text}"`)
  }

/** A value of `parse`: a URL as it is written. */
export const httpUrl =
  (description = 'an absolute http(s) URL') =>
  (text: string): string => {
    if (canParseUrl(text) && /^https?:$/.test(new URL(text).protocol)) return text
    throw new Error(`must be ${description}, not "${text}"`)
  }

/** A value of `parse`: the URL of a service, without its trailing slashes. */
export const serviceUrl = (description?: string) => (text: string) =>
  httpUrl(description)(text).replace(/(?<!\/)\/+$/, '')

/** A value of `parse` for a repeatable option: values that are also separated by commas or white space. */
export const list = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(/[\s,]+/)).filter(Boolean)
