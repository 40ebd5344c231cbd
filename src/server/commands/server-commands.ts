import type { CommandEnvironment } from './command-environment.js'
import { keysHelp, purgeHelp, serveHelp } from './help-text.js'

/** A command of `page-preview-server`. */
export interface Command {
  /** Loads it when it is called: freezing from the cache takes less time than loading the service. */
  load: () => Promise<(args: readonly string[], environment: CommandEnvironment) => Promise<number>>
  help: () => string | Promise<string>
}

/** The commands of the service. */
export const serverCommands: Readonly<Record<string, Command>> = {
  serve: { load: async () => (await import('./run-serve.js')).runServe, help: serveHelp },
  keys: { load: async () => (await import('./manage-keys.js')).manageKeys, help: keysHelp },
  purge: { load: async () => (await import('./run-purge.js')).runPurge, help: purgeHelp },
}
