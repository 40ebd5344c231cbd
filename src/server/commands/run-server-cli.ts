import { version } from '../version.js'
import type { CommandEnvironment } from './command-environment.js'
import { helpText } from './help-text.js'
import { manageKeys } from './manage-keys.js'
import { runCapture } from './run-capture.js'
import { runPurge } from './run-purge.js'
import { runServe } from './run-serve.js'
import { UsageError } from './usage-error.js'

/**
 * Runs one command line of `page-preview-server`.
 *
 * @param args  The arguments behind the program's name.
 * @returns     Exit code: 0 success, 1 the command failed, 2 wrong usage.
 */
export async function runServerCli(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const [command, ...rest] = args
  const { stdout, stderr } = environment
  try {
    if (command === undefined) throw new UsageError('A command is missing: serve, keys, purge or capture.')
    if (command === 'help' || args.includes('--help') || args.includes('-h')) {
      stdout.write(helpText(command))
      return 0
    }
    if (command === '--version' || command === '-v') {
      stdout.write(`${version}\n`)
      return 0
    }
    if (command === 'serve') return await runServe(rest, environment)
    if (command === 'capture') return await runCapture(rest, environment)
    if (command === 'purge') return await runPurge(rest, environment)
    if (command === 'keys') return await manageKeys(rest, environment)
    throw new UsageError(`There is no command "${command}": use serve, keys, purge or capture.`)
  } catch (error) {
    const isUsage = error instanceof UsageError
    stderr.write(`page-preview-server: ${error instanceof Error ? error.message : String(error)}\n`)
    if (isUsage) stderr.write('Try page-preview-server --help.\n')
    return isUsage ? 2 : 1
  }
}
