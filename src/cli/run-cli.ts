import { helpText, runProgram, type CommandProcess, type Program } from '../command-line/index.js'
import { pageCommand } from './page-command.js'
import { snippetCommand } from './snippet.js'

declare const __VERSION__: string

/** Version of this package, replaced at build time. */
const version = __VERSION__

/** The commands of `page-preview-server`, which apps that only show previews do not install. */
const SERVER_COMMANDS = ['serve', 'keys', 'purge', 'freeze', 'check', 'capture']

const page = pageCommand(SERVER_COMMANDS)

const program: Program = {
  name: 'page-preview',
  version,
  commands: {
    snippet: { load: async () => snippetCommand(version) },
    ...Object.fromEntries(SERVER_COMMANDS.map((name) => [name, { delegate: runServerCommand }])),
  },
  missing: 'A URL is missing.',
  help: () => helpText(page),
  otherwise: page,
}

/**
 * Runs one command line of `page-preview`.
 *
 * @param args  The arguments after the program's name.
 * @returns     Exit code: 0 success, 1 the service refused or is missing, 2 wrong usage.
 */
export const runCli = (args: readonly string[], process: CommandProcess): Promise<number> =>
  runProgram(program, args, process)

/** @throws  Error with a sentence when the package of the service is not installed. */
async function runServerCommand(args: readonly string[], process: CommandProcess): Promise<number> {
  if (!isServerInstalled())
    throw new Error(
      `"${args[0]}" is a command of the service, which is a package of its own: npm install page-preview-server.`,
    )
  const { runServerCli } = await import('page-preview-server/commands')
  return runServerCli(args, process)
}

function isServerInstalled(): boolean {
  try {
    import.meta.resolve('page-preview-server/commands')
    return true
  } catch {
    return false
  }
}
