import type { Connection } from 'puppeteer-core'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface WatchMemoryOptions {
  maxBytes: number
  /** Ends the watch. */
  signal: AbortSignal
  /** Called with a process of a page that uses more. */
  onExceeded: (pid: number, bytes: number) => void
}

const INTERVAL_MS = 250

/**
 * Watches the resident memory of the processes of a browser's pages. Other limits of Chromium hold for the objects of scripts
 * alone, and not for buffers, images and canvases. Does nothing where there is no `/proc`.
 */
export async function watchMemory(connection: Connection, options: WatchMemoryOptions): Promise<void> {
  const { maxBytes, signal, onExceeded } = options
  while (await waitForNextCheck(signal)) {
    // Fails only when the browser is gone.
    const { processInfo } = await connection.send('SystemInfo.getProcessInfo').catch(() => ({ processInfo: [] }))
    for (const { type, id } of processInfo) {
      const bytes = type === 'renderer' ? await residentBytes(id) : 0
      if (bytes > maxBytes && !signal.aborted) onExceeded(id, bytes)
    }
  }
}

/** A new page is empty, so the first check comes after an interval too. Resolves to whether to go on. */
const waitForNextCheck = (signal: AbortSignal): Promise<boolean> =>
  sleep(INTERVAL_MS, true, { ref: false, signal }).catch(() => false)

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024
}
