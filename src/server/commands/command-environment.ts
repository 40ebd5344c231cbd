import type { Readable } from 'node:stream'

/** The parts of `process` that a command uses; tests replace them. */
export interface CommandEnvironment {
  env: Readonly<Record<string, string | undefined>>
  /** Default: that of the process. */
  stdin?: Readable
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown; isTTY?: boolean | undefined; columns?: number | undefined }
  once(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
}
