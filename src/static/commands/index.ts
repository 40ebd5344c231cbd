import { helpRows, runProgram, type CommandProcess, type Program } from '../../command-line/index.js'
import { serverCommands, version, type CommandEntry } from '../../server/commands/index.js'

export type { CommandProcess }

const commands: Readonly<Record<string, CommandEntry>> = {
  ...serverCommands,
  freeze: {
    usage: 'freeze DIR',
    summary: 'write previews into a static site',
    load: async () => (await import('./freeze.js')).freezeCommand,
  },
  check: {
    usage: 'check DIR',
    summary: 'find dead links of a static site',
    load: async () => (await import('./check.js')).checkCommand,
  },
  capture: {
    usage: 'capture --from FILE --out DIR',
    summary: 'capture a list of pages',
    load: async () => (await import('./capture.js')).captureCommand,
  },
  mcp: {
    usage: 'mcp [--option …]',
    summary: 'give agents tools to look at pages',
    load: async () => (await import('./mcp.js')).mcpCommand,
  },
}

const program: Program = {
  name: 'page-preview-server',
  version,
  commands,
  help: () => `Runs the Page Preview service and manages its keys.

${helpRows(
  Object.entries(commands).map(([name, { usage, summary }]) => [
    `page-preview-server ${usage}`,
    `${summary} (see page-preview-server ${name} --help)`,
  ]),
)}

  page-preview-server serve --demo
`,
}

/**
 * Runs one command line of `page-preview-server`.
 *
 * @param args  The arguments after the program's name.
 * @returns     Exit code: 0 success, 1 the command failed, 2 wrong usage.
 */
export const runServerCli = (args: readonly string[], process: CommandProcess): Promise<number> =>
  runProgram(program, args, process)
