import { parameterOf } from '../fields.js'
import { canonicalName } from '../parsed-query.js'

/** The flags of a command that are not parameters, by name without dashes, as `parseArgs` of Node takes them. */
export type CommandFlags = Readonly<Record<string, { readonly type: 'boolean' | 'string'; readonly short?: string }>>

/** One argument of a command whose flags are parameters too. */
export interface CommandArgument {
  /** As it was written, with its dashes; absent for an operand. */
  flag?: string
  /** Without dashes; empty for an operand. */
  name: string
  /** Empty for a boolean flag without a value, absent when a value is missing. */
  value: string | undefined
}

/** What `parseArgs` returns with `tokens: true`. */
type Token =
  | { kind: 'option'; name: string; rawName: string; value: string | undefined }
  | { kind: 'positional'; value: string }
  | { kind: 'option-terminator' }

/**
 * The `options` for `parseArgs`, declared for one command line, because `headers.<name>` and list items have no fixed set of
 * names. It needs `strict: false`, `allowPositionals: true` and `tokens: true`.
 */
export function commandFlags(args: readonly string[], ownFlags: CommandFlags): CommandFlags {
  const names = args.flatMap((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? [])
  const parameters = names.map((name): [string, { type: 'boolean' | 'string' }] => [
    name,
    { type: isBooleanFlag(name, ownFlags) ? 'boolean' : 'string' },
  ])
  return { ...Object.fromEntries(parameters), ...ownFlags }
}

/** Reads the tokens of `parseArgs`: `--ping` is true, `--ping false` and `--ping=false` are not. */
export function commandArguments(tokens: readonly Token[], ownFlags: CommandFlags): CommandArgument[] {
  const found: CommandArgument[] = []
  let booleanFlag: CommandArgument | undefined
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional' && booleanFlag && /^(true|false)$/.test(token.value)) {
      booleanFlag.value = token.value
      booleanFlag = undefined
    } else if (token.kind === 'positional') {
      found.push({ name: '', value: token.value })
      booleanFlag = undefined
    } else {
      const { rawName: flag, name, value } = token
      const isBoolean = isBooleanFlag(name, ownFlags)
      const argument = { flag, name, value: value ?? (isBoolean ? '' : undefined) }
      found.push(argument)
      booleanFlag = isBoolean && value === undefined ? argument : undefined
    }
  }
  return found
}

/** Whether the language has a parameter of this name, in any spelling. */
export const isParameterName = (name: string): boolean => knownName(name) !== undefined

/** The canonical name; an invalid name stays as it is, and parsing the query says why it is invalid. */
function knownName(name: string): string | undefined {
  try {
    return canonicalName(name)
  } catch {
    return name
  }
}

function isBooleanFlag(written: string, ownFlags: CommandFlags): boolean {
  if (Object.hasOwn(ownFlags, written)) return ownFlags[written]!.type === 'boolean'
  const name = knownName(written)
  return name !== undefined && ['boolean', 'switches', 'embed'].includes(parameterOf(name)?.type)
}

/** Where a command writes, such as `process.stdout`. */
export interface OutputStream {
  write(content: string | Uint8Array): unknown
  isTTY?: boolean | undefined
  /** Width of a terminal. */
  columns?: number | undefined
}

/** A stream whose terminal obeys nothing of what is written. */
export interface TerminalOutput extends OutputStream {
  /** Erases the current line of a terminal. */
  eraseLine(): unknown
}

/**
 * Control characters, which terminals obey, and invisible ones, which reorder or hide text; but not what joins the letters of a
 * word or the parts of an emoji.
 */
const UNPRINTABLE = /(?![\n\t\p{Join_Control}]|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}\p{Cs}]/gu
const PLAIN_TEXT = /^[\n\t -~]*$/
const ERASE_LINE = '\r\u001b[K'

/** A terminal gets text with unprintable characters as `\u001b`, so that JSON means the same; files and pipes get it as it is. */
export const terminalOutput = (stream: OutputStream): TerminalOutput => ({
  isTTY: stream.isTTY,
  get columns() {
    return stream.columns
  },
  write: (content) => stream.write(stream.isTTY ? escapeUnprintable(textOf(content)) : content),
  eraseLine: () => stream.isTTY && stream.write(ERASE_LINE),
})

/** The text with each control or invisible character as in JSON: `\u001b`. Lines and tabs stay. */
export const escapeUnprintable = (text: string): string =>
  PLAIN_TEXT.test(text) ? text : text.replace(UNPRINTABLE, (character) => character.split('').map(escaped).join(''))

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const textOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? content : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)
