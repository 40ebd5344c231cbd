import { requestPage } from './request-page.js'
import { helpText } from './help-text.js'
import { manageKeys } from './manage-keys.js'
import { printSnippet } from './print-snippet.js'
import { runService } from './run-service.js'
import { UsageError } from './usage-error.js'
import { version } from './version.js'

/** What the command needs of a process; tests bring their own. */
export interface CommandEnvironment {
  env: Readonly<Record<string, string | undefined>>
  stdout: { write(text: string | Uint8Array): unknown; isTTY?: boolean | undefined }
  stderr: { write(text: string): unknown }
  once(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
}

/**
 * Runs one command line.
 *
 * @returns  Exit code: 0 done, 1 the service (or starting it) said no, 2 wrong usage.
 */
export async function run(args: readonly string[], around: CommandEnvironment): Promise<number> {
  const [first, ...rest] = args
  try {
    if (first === undefined) throw new UsageError('An address is missing.')
    if (args.includes('--help') || args.includes('-h') || first === 'help') return say(around, helpText(first))
    if (first === '--version' || first === '-v') return say(around, `${version}\n`)
    if (first === 'serve') return await runService(rest, around)
    if (first === 'keys') return await manageKeys(rest, around)
    if (first === 'snippet') return await printSnippet(rest, around)
    return await requestPage(args, around)
  } catch (error) {
    const isUsage = error instanceof UsageError
    around.stderr.write(`page-preview: ${error instanceof Error ? error.message : String(error)}\n`)
    if (isUsage) around.stderr.write('Try page-preview --help.\n')
    return isUsage ? 2 : 1
  }
}

function say({ stdout }: CommandEnvironment, text: string): number {
  stdout.write(text)
  return 0
}
