export { runServerCli } from './run-server-cli.js'
export type { CommandEnvironment } from './command-environment.js'
