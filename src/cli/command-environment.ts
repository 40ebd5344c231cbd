/** The parts of `process` that the command uses; tests replace them. */
export interface CommandEnvironment {
  env: Readonly<Record<string, string | undefined>>
  stdout: { write(text: string | Uint8Array): unknown; isTTY?: boolean | undefined }
  stderr: { write(text: string): unknown }
  once(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
}
