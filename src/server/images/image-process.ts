import { constants, setPriority } from 'node:os'
import sharp from 'sharp'
import type { ImageRequest, ImageResponse } from './start-image-process.js'
import { imageTasks } from './tasks/index.js'

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
  if (process.memoryUsage.rss() > maxRssBytes) send({ status: 'out-of-memory' }, end)
}, MEMORY_POLL_MS)
process.on('disconnect', end)
process.on('message', ({ task, args }: ImageRequest) => {
  const run = imageTasks[task] as (...args: unknown[]) => Promise<unknown>
  run(...args).then(
    (result) => send({ status: 'done', result }),
    (error: unknown) => send({ status: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})
