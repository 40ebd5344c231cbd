import { parentPort } from 'node:worker_threads'
import type { TaskMessage, WorkerMessage } from './worker-pool.js'

const MEMORY_POLL_MS = 50

// The child's side of `worker-pool.ts`, apart from it, because importing that would cost each child 4 ms and 1.3 MB.

/**
 * Runs in the entry of a worker: says that it is ready, and replies to each task with the result of `run`, or with its error. A
 * process also ends with its parent, or when it needs too much memory.
 */
export function handleTasks(run: (task: never, inputs: Uint8Array[]) => unknown): void {
  let pieces: Uint8Array[] = []
  let inputs: Uint8Array[] = []

  async function reply(task: unknown): Promise<void> {
    const allInputs = inputs
    inputs = []
    try {
      send({ result: await run(task as never, allInputs) })
    } catch (error) {
      send({ error })
    }
  }

  function receive(message: TaskMessage): void {
    if ('piece' in message) pieces.push(message.piece)
    else if ('isEndOfInput' in message) {
      inputs.push(Buffer.concat(pieces))
      pieces = []
    } else void reply(message.task)
  }

  if (parentPort) parentPort.on('message', receive)
  else {
    limitProcess()
    process.on('message', receive)
  }
  send('ready')
}

function send(message: WorkerMessage, onSent = () => {}): void {
  if (parentPort) parentPort.postMessage(message, [])
  else process.send!(message, onSent)
}

/** @see {@link startProcess} for its argument. */
function limitProcess(): void {
  const maxRssBytes = Number(process.argv[2])
  // `process.exit` would wait for a running operation of native code.
  const end = () => process.kill(process.pid, 'SIGKILL')
  setInterval(() => {
    if (process.memoryUsage.rss() > maxRssBytes) send({ failure: 'memory' }, end)
  }, MEMORY_POLL_MS)
  process.on('disconnect', end)
  // Terminals and supervisors send them to each process of a group; this one ends once its parent has drained.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
  // The parent may have ended while the modules were loaded; no event follows then.
  if (!process.connected) end()
}
