import { runServerCli } from '../../../src/static/commands/index.js'

type CommandProcess = Parameters<typeof runServerCli>[1]

interface RunCommandOptions extends Partial<Omit<CommandProcess, 'stdout' | 'stderr'>> {
  /** Whether it runs on a terminal. Default: false. */
  isTTY?: boolean
  /** Receives what it prints while it runs. */
  output?: { stdout: string; stderr: string }
}

/** Runs a command line of `page-preview-server` in this process, without variables by default, and records what it prints. */
export async function runCommand(
  args: readonly string[],
  { isTTY = false, output = { stdout: '', stderr: '' }, ...environment }: RunCommandOptions = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const code = await runServerCli(args, {
    env: {},
    stdout: { isTTY, write: (text) => (output.stdout += String(text)) },
    stderr: { isTTY, write: (text) => (output.stderr += String(text)) },
    once: () => undefined,
    off: () => undefined,
    ...environment,
  })
  return { code, ...output }
}
