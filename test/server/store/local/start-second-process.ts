import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Starts another process that opens the same store. It is killed at the end of the test. */
export async function startSecondProcess(dataDir: string, maxBytes: number) {
  const child = fork(fileURLToPath(new URL('second-process-worker.js', import.meta.url)), [dataDir, String(maxBytes)], {
    execArgv: [],
    serialization: 'advanced',
  })
  const written: string[] = []
  const pending = new Map<string, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  child.on('message', ({ method, result, key }: { method?: string; result?: unknown; key?: string }) => {
    if (key !== undefined) written.push(key)
    if (method !== undefined) pending.get(method)?.resolve(result)
  })
  child.on('exit', () => {
    for (const [method, { reject }] of pending)
      reject(new Error(`The second process ended before "${method}" had returned`))
  })
  const resultOf = (method: string) =>
    new Promise<unknown>((resolve, reject) => pending.set(method, { resolve, reject })).finally(() =>
      pending.delete(method),
    )

  async function kill() {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  onTestFinished(kill)

  await resultOf('open')
  return {
    /** Keys of the entries that it has written so far. */
    written,
    /** Calls a method of `second-process-worker.js` there. */
    call(method: string, ...args: unknown[]): Promise<unknown> {
      const result = resultOf(method)
      child.send({ method, args })
      return result
    },
    async untilWritten(count: number) {
      while (written.length < count) await once(child, 'message')
    },
    /** Kills it with SIGKILL, which it cannot handle. */
    kill,
  }
}
