import { constants, setPriority } from 'node:os'
import sharp from 'sharp'
import type { ImageMessage, ImageResponse } from './start-image-process.js'
import { imageTasks, TooLargeError, type ScreenshotTiles } from './tasks/index.js'

// The script of a child process: it runs one task at a time, and ends with its parent or when it needs too much memory.

const DECODERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
]
const MEMORY_POLL_MS = 50

// Threads and cache of libvips gain nothing here, and fragment memory: https://sharp.pixelplumbing.com/install#linux-memory-allocator
sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: DECODERS })
// Cached responses and the browser go first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const maxRssBytes = Number(process.argv[2])
// `process.exit` would wait for the running operation of libvips.
const end = () => process.kill(process.pid, 'SIGKILL')
const send = (response: ImageResponse, onSent = () => {}) => process.send!(response, onSent)

setInterval(() => {
  if (process.memoryUsage.rss() > maxRssBytes)
    send({ status: 'too-large', message: 'The image needs too much memory. Request a smaller one.' }, end)
}, MEMORY_POLL_MS)
process.on('disconnect', end)
// The parent may have ended while the modules above were loaded; no event follows then.
if (process.connected) send({ status: 'ready' })
else end()
let pieces: Uint8Array[] = []
let inputs: Uint8Array[] = []
process.on('message', (message: ImageMessage) => {
  if ('piece' in message) pieces.push(message.piece)
  else if ('isEndOfInput' in message) {
    inputs.push(Buffer.concat(pieces))
    pieces = []
  } else runTask(message)
})

function runTask({ task, args }: Extract<ImageMessage, { task: unknown }>): void {
  const run = imageTasks[task] as (...args: unknown[]) => Promise<unknown>
  const allArgs = withInputs(args, inputs)
  inputs = []
  run(...allArgs).then(
    (result) => send({ status: 'done', result }),
    (error: unknown) =>
      send({
        status: error instanceof TooLargeError ? 'too-large' : 'failed',
        message: error instanceof Error ? error.message : String(error),
      }),
  )
}

function withInputs(args: readonly unknown[], inputs: Uint8Array[]): readonly unknown[] {
  const [first] = args
  if (inputs.length === 0 || first instanceof Uint8Array) return [...inputs, ...args.slice(inputs.length)]
  return [{ ...(first as ScreenshotTiles), tiles: inputs }, ...args.slice(1)]
}
