export { runServerCli } from './run-server-cli.js'
export type { CommandProcess } from '../../server/commands/index.js'
