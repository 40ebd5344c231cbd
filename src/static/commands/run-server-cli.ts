import {
  commandEnvironment,
  serverCommands,
  UsageError,
  version,
  type Command,
  type CommandProcess,
} from '../../server/commands/index.js'
import { nearestName } from '../../query/help/index.js'

/** Each is loaded when it is called: freezing from the cache takes less time than loading the service. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  ...serverCommands,
  freeze: async () => (await import('./run-freeze.js')).runFreeze,
  check: async () => (await import('./run-check.js')).runCheck,
  capture: async () => (await import('./run-capture.js')).runCapture,
}
const names = Object.keys(COMMANDS)
const MAX_DISTANCE = 2
const NAMES = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/**
 * Runs one command line of `page-preview-server`.
 *
 * @param args  The arguments after the program's name.
 * @returns     Exit code: 0 success, 1 the command failed, 2 wrong usage.
 */
export async function runServerCli(args: readonly string[], process: CommandProcess): Promise<number> {
  const [command, ...rest] = args
  const environment = commandEnvironment(process)
  const { stdout, stderr } = environment
  try {
    if (command === undefined) throw new UsageError(`A command is missing: ${NAMES}.`)
    if (command === 'help' || args.includes('--help') || args.includes('-h')) {
      const { helpText } = await import('./help-text.js')
      stdout.write(helpText(command))
      return 0
    }
    if (command === '--version' || command === '-v') {
      stdout.write(`${version}\n`)
      return 0
    }
    if (!Object.hasOwn(COMMANDS, command)) throw unknownCommandError(command)
    const run = await COMMANDS[command]!()
    return await run(rest, environment)
  } catch (error) {
    const isUsage = error instanceof UsageError
    stderr.write(`page-preview-server: ${error instanceof Error ? error.message : String(error)}\n`)
    if (isUsage) stderr.write('Try page-preview-server --help.\n')
    return isUsage ? 2 : 1
  }
}

function unknownCommandError(command: string): UsageError {
  const nearest = nearestName(command, names, MAX_DISTANCE)
  return new UsageError(`There is no command "${command}"${nearest ? `; did you mean ${nearest}?` : `: use ${NAMES}.`}`)
}
