import { once } from 'node:events'
import { WebSocket } from 'undici'

/** Once is not enough: finalizers free memory that the next collection returns. */
const COLLECTIONS = 3
const DEADLINE_MS = 10_000

/** Makes a process collect all garbage, so that what remains is what it needs. */
export async function collectGarbage(inspectorUrl: string): Promise<void> {
  const socket = new WebSocket(inspectorUrl)
  await once(socket, 'open', { signal: AbortSignal.timeout(DEADLINE_MS) })
  for (let id = 1; id <= COLLECTIONS; id++) {
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    await once(socket, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) })
  }
  socket.close()
}
