import { parseArgs, type ParseArgsConfig } from 'node:util'
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
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
