export { runServerCli } from './run-server-cli.js'
export type { CommandProcess } from './command-environment.js'
