import type { Readable } from 'node:stream'
import { terminalOutput, type OutputStream, type TerminalOutput } from '../../query/help/index.js'

/** The parts of `process` that a command line uses; tests replace them. */
export interface CommandProcess {
  env: Readonly<Record<string, string | undefined>>
  /** Default: that of the process. */
  stdin?: Readable
  stdout: OutputStream
  stderr: OutputStream
  once(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
}

/** The same with streams that are safe on a terminal. */
export interface CommandEnvironment extends CommandProcess {
  stdout: TerminalOutput
  stderr: TerminalOutput
}

export const commandEnvironment = (process: CommandProcess): CommandEnvironment => ({
  env: process.env,
  ...(process.stdin && { stdin: process.stdin }),
  stdout: terminalOutput(process.stdout),
  stderr: terminalOutput(process.stderr),
  once: (event, listener) => process.once(event, listener),
  off: (event, listener) => process.off(event, listener),
})
