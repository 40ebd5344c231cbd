// Declared here because the package of the service is built from sources that this package does not import.
declare module 'page-preview-server/commands' {
  import type { CommandEnvironment } from './command-environment.js'
  export function runServerCli(args: readonly string[], environment: CommandEnvironment): Promise<number>
}
