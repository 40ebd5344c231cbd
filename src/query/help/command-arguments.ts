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
