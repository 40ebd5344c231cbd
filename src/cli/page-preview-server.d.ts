// Declared here because the package of the service is built from sources that this package does not import.
declare module 'page-preview-server/commands' {
  import type { CommandProcess } from '../command-line/index.js'
  export function runServerCli(args: readonly string[], process: CommandProcess): Promise<number>
}
