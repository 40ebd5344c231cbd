import type { CommandEnvironment } from './command-environment.js'

/** @returns  Exit code: 0 success, 1 the command failed. */
export type Command = (args: readonly string[], environment: CommandEnvironment) => Promise<number>

/** The commands of the service, each loaded when it is called. */
export const serverCommands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./run-serve.js')).runServe,
  keys: async () => (await import('./manage-keys.js')).manageKeys,
  purge: async () => (await import('./run-purge.js')).runPurge,
}
