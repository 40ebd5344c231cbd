import { workerData } from 'node:worker_threads'
import { createLogger } from './log.js'
import { BEAT_INTERVAL_MS, BEATS, BLOCKS, type WatchdogData } from './watch-event-loop.js'

// The entry of the thread that `watch-event-loop.ts` starts.

const MAX_BLOCK_MS = 2_000

const { counters, logLevel } = workerData as WatchdogData
const log = createLogger(logLevel)
let lastBeat = 0
// Intervals of this thread instead of a clock: while the whole process is suspended, nothing is blocked.
let missedBeats = 0

setInterval(() => {
  const beat = Atomics.load(counters, BEATS)
  if (beat !== lastBeat && missedBeats * BEAT_INTERVAL_MS > MAX_BLOCK_MS)
    log.warn(
      { event: 'event-loop-runs-again', blockedMs: missedBeats * BEAT_INTERVAL_MS },
      'the main thread responds again',
    )
  missedBeats = beat === lastBeat ? missedBeats + 1 : 0
  lastBeat = beat
  if (missedBeats !== Math.floor(MAX_BLOCK_MS / BEAT_INTERVAL_MS) + 1) return
  Atomics.add(counters, BLOCKS, 1)
  log.error(
    { event: 'event-loop-blocked', blockedMs: missedBeats * BEAT_INTERVAL_MS },
    'the main thread has been blocked for more than 2 s and does not respond; please report which request caused it',
  )
}, BEAT_INTERVAL_MS)
