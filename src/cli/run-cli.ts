import { terminalOutput } from '../query/help/index.js'
import type { CommandEnvironment } from './command-environment.js'
import { helpText } from './help-text.js'
import { printSnippet } from './print-snippet.js'
import { requestPage } from './request-page.js'
import { isServerCommand, runServerCommand } from './run-server-command.js'
import { UsageError } from './usage-error.js'
import { version } from './version.js'

/**
 * Runs one command line of `page-preview`.
 *
 * @param args  The arguments after the program's name.
 * @returns     Exit code: 0 success, 1 the service refused or is missing, 2 wrong usage.
 */
export async function runCli(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const [first, ...rest] = args
  const stdout = terminalOutput(environment.stdout)
  const stderr = terminalOutput(environment.stderr)
  try {
    if (first === undefined) throw new UsageError('A URL is missing.')
    if (isServerCommand(first)) return await runServerCommand(args, environment)
    if (first === 'help' || args.includes('--help') || args.includes('-h')) {
      stdout.write(helpText(first))
      return 0
    }
    if (first === '--version' || first === '-v') {
      stdout.write(`${version}\n`)
      return 0
    }
    if (first === 'snippet') return await printSnippet(rest, stdout)
    return await requestPage(args, { env: environment.env, stdout, stderr })
  } catch (error) {
    const isUsage = error instanceof UsageError
    stderr.write(`page-preview: ${error instanceof Error ? error.message : String(error)}\n`)
    if (isUsage) stderr.write('Try page-preview --help.\n')
    return isUsage ? 2 : 1
  }
}
