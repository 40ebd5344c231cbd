import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Another process that has the same store open; killed at the end of the test at the latest. */
export async function secondProcess(dataDir: string, maxBytes: number) {
  const child = fork(fileURLToPath(new URL('second-process-worker.js', import.meta.url)), [dataDir, String(maxBytes)], {
    execArgv: [],
    serialization: 'advanced',
  })
  const written: string[] = []
  const waiting = new Map<string, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  child.on('message', ({ job, result, key }: { job?: string; result?: unknown; key?: string }) => {
    if (key !== undefined) written.push(key)
    if (job !== undefined) waiting.get(job)?.resolve(result)
  })
  child.on('exit', () => {
    for (const [job, { reject }] of waiting) reject(new Error(`The second process ended before "${job}" was done`))
  })
  const finished = (job: string) =>
    new Promise<unknown>((resolve, reject) => waiting.set(job, { resolve, reject })).finally(() => waiting.delete(job))

  async function kill() {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  onTestFinished(kill)

  await finished('open')
  return {
    /** Keys of the answers that it has written so far. */
    written,
    run(job: string, ...values: unknown[]): Promise<unknown> {
      const result = finished(job)
      child.send({ job, values })
      return result
    },
    async hasWritten(count: number) {
      while (written.length < count) await once(child, 'message')
    },
    /** As `kill -9` does. */
    kill,
  }
}
