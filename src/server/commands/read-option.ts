import { readSecret } from '../secrets.js'
import { optionVariable, serveOptions, type ServeOptionName } from '../serve-options.js'
import type { CommandEnvironment } from './command-environment.js'
import { UsageError } from './usage-error.js'

/**
 * The value of an option that a command shares with `serve`: that of its flag, else that of the environment, for a secret also
 * from a file.
 *
 * @throws  {UsageError} when the file of a secret cannot be used.
 */
export function readOption(
  name: ServeOptionName,
  flag: string | undefined,
  env: CommandEnvironment['env'],
): string | undefined {
  if (flag !== undefined) return flag
  const variable = optionVariable(name)
  if (!('isSecret' in serveOptions[name])) return env[variable] || undefined
  try {
    return readSecret(variable, env)
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`, { cause: error })
  }
}
