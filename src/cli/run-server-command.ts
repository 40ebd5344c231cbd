import type { CommandEnvironment } from './command-environment.js'

export const SERVER_COMMANDS = ['serve', 'keys', 'purge', 'freeze', 'check', 'capture']

export const isServerCommand = (name: string): boolean => SERVER_COMMANDS.includes(name)

/**
 * Passes a command line on to `page-preview-server`, which apps that only show previews do not install.
 *
 * @throws  Error with a sentence when that package is not installed.
 */
export async function runServerCommand(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  if (!isServerInstalled())
    throw new Error(
      `"${args[0]}" is a command of the service, which is a package of its own: npm install page-preview-server.`,
    )
  const { runServerCli } = await import('page-preview-server/commands')
  return runServerCli(args, environment)
}

function isServerInstalled(): boolean {
  try {
    import.meta.resolve('page-preview-server/commands')
    return true
  } catch {
    return false
  }
}
