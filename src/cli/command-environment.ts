import type { OutputStream } from '../query/help/index.js'

/** The parts of `process` that the command uses; tests replace them. */
export interface CommandEnvironment {
  env: Readonly<Record<string, string | undefined>>
  stdout: OutputStream
  stderr: OutputStream
  once(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
}
