import { parseArgs, type ParseArgsConfig } from 'node:util'
import { nearestName } from '../../query/help/index.js'
import { UsageError } from './usage-error.js'

type Flags = NonNullable<ParseArgsConfig['options']>

/**
 * Parses flags and operands.
 *
 * @throws  {UsageError} for an unknown flag, and for a flag without its value.
 */
export function parseFlags<const Options extends Flags>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: Options }>> {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UsageError(unknownFlagMessage(message, Object.keys(options)) ?? message, { cause: error })
  }
}

/** Node's own message speaks of positional arguments. */
function unknownFlagMessage(message: string, names: readonly string[]): string | undefined {
  const [, flag] = /^Unknown option '(--?[^']+)'/.exec(message) ?? []
  const nearest = nearestName(
    flag ?? '',
    names.map((name) => `--${name}`),
  )
  return flag && `${flag} is not a known flag; did you mean ${nearest}?`
}
