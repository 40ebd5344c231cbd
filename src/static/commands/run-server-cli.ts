import { nearestName } from '../../query/help/index.js'
import {
  commandEnvironment,
  serverCommands,
  UsageError,
  version,
  type Command,
  type CommandProcess,
} from '../../server/commands/index.js'

const COMMANDS: Readonly<Record<string, Command>> = {
  ...serverCommands,
  freeze: {
    load: async () => (await import('./freeze.js')).runFreeze,
    help: async () => (await import('./freeze.js')).freezeHelp(),
  },
  check: {
    load: async () => (await import('./check.js')).runCheck,
    help: async () => (await import('./check.js')).checkHelp(),
  },
  capture: {
    load: async () => (await import('./capture.js')).runCapture,
    help: async () => (await import('./capture.js')).captureHelp(),
  },
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
      stdout.write(Object.hasOwn(COMMANDS, command) ? await COMMANDS[command]!.help() : overview())
      return 0
    }
    if (command === '--version' || command === '-v') {
      stdout.write(`${version}\n`)
      return 0
    }
    if (!Object.hasOwn(COMMANDS, command)) throw unknownCommandError(command)
    const run = await COMMANDS[command]!.load()
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

function overview(): string {
  return `Runs the Page Preview service and manages its keys.

  page-preview-server serve [--option …]         run the service (see page-preview-server serve --help)
  page-preview-server keys create|list|revoke    manage the keys of the pro host (see page-preview-server keys --help)
  page-preview-server purge URL|HOST|--all       delete cached results (see page-preview-server purge --help)
  page-preview-server freeze DIR                 write previews into a static site (see page-preview-server freeze --help)
  page-preview-server capture --from FILE --out DIR    capture a list of pages (see page-preview-server capture --help)
  page-preview-server check DIR                  find dead links of a static site (see page-preview-server check --help)

  page-preview-server serve --demo
`
}
