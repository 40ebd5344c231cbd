import { runServerCli } from '../../../src/server/commands/index.js'

type CommandEnvironment = Parameters<typeof runServerCli>[1]

interface RunCommandOptions extends Partial<Omit<CommandEnvironment, 'stdout' | 'stderr'>> {
  /** Whether stderr is a terminal. Default: false. */
  isTTY?: boolean
}

/** Runs a command line of `page-preview-server` in this process, without variables by default, and records what it prints. */
export async function runCommand(
  args: readonly string[],
  { isTTY = false, ...environment }: RunCommandOptions = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = ''
  let stderr = ''
  const code = await runServerCli(args, {
    env: {},
    stdout: { write: (text) => (stdout += text) },
    stderr: { isTTY, write: (text) => (stderr += text) },
    once: () => undefined,
    off: () => undefined,
    ...environment,
  })
  return { code, stdout, stderr }
}
