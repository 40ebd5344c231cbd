// What 100 million previews a day wait at their peak, and how many are refused: a discrete-event simulation of the queue between fronts and
// workers, as stories/recipes/scale/haproxy.cfg sets it. The same table is in stories/docs/scaling.mdx.
import { createRandom } from '../shared/create-random.js'
import { formatTable } from '../shared/format-table.js'

const SLOTS = 400
const SLOTS_PER_WORKER = 2
const HAPROXIES = 2
const FRONTS = 10
/** Captures that may wait for each worker in each HAProxy. */
const MAX_WAITING_PER_WORKER = 12
const QUEUE_TIMEOUT_S = 28
/** Log-normal with a mean of 1 second and 4.3 seconds at the 99th percentile. */
const CAPTURE_SIGMA = 0.747
/** The origin receives 1,250 hits a second, and half of them are not in the memory of their front. */
const HITS_ON_REDIS_PER_S = 625
const HOT_PAGE_S = 4
const WARM_UP_S = 30
/** When something happens, and until when waits are counted. */
const EVENT_S = 60
const END_S = 300

export interface Scenario {
  name: string
  /** Captures that arrive in a second, as a share of the slots. */
  load: number
  /** From `EVENT_S` on. */
  event?: {
    /** Until the event ends. */
    forS: number
    /** Factor of the load. Default: 1. */
    load?: number
    /** Share of the workers that are gone. Default: 0. */
    lost?: number
    /** Fronts share nothing. */
    isRedisAway?: boolean
    /** Requests a second for one new page. */
    hotPage?: number
  }
  /** Seconds until as many workers are added as the load needs. Default: none are. */
  scaledAfterS?: number
  /** How often a refused client comes back after `retry-after`. Default: 0. */
  retries?: number
}

const BURST = { forS: 120, load: 2 }
const HOT_PAGE = { forS: 30, hotPage: 1_000 }

export const SCENARIOS: readonly Scenario[] = [
  { name: '70 % load', load: 0.7 },
  { name: '85 % load', load: 0.85 },
  { name: 'twice the load for 2 minutes, no new workers', load: 0.7, event: BURST },
  { name: 'twice the load, new workers after 90 s', load: 0.7, event: BURST, scaledAfterS: 90 },
  { name: 'twice the load, new workers after 30 s', load: 0.7, event: BURST, scaledAfterS: 30 },
  { name: 'twice the load, refused clients come back twice', load: 0.7, event: BURST, retries: 2 },
  { name: 'a zone lost: a third of the workers for 90 s', load: 0.7, event: { forS: 90, lost: 1 / 3 } },
  { name: 'Redis fails over for 15 s', load: 0.7, event: { forS: 15, isRedisAway: true } },
  { name: 'one new page, 1,000 requests a second', load: 0.7, event: HOT_PAGE },
  { name: 'the same without Redis', load: 0.7, event: { ...HOT_PAGE, isRedisAway: true } },
]

export interface Outcome {
  /** Seconds in the queue, of captures that began after the event. */
  wait: { p50: number; p95: number; p99: number }
  /** Share of the previews that were refused or waited too long, after all that their clients tried. */
  refused: number
  captures: number
  /** Of the hot page. */
  hotCaptures: number
}

interface Capture {
  arrivedAt: number
  attempts: number
  isHot: boolean
  isGone: boolean
}
/** Of one HAProxy. */
interface Queue {
  slots: number
  running: Set<Capture>
  /** In the order in which they came. */
  waiting: Set<Capture>
}

export function simulate({ load, event, scaledAfterS, retries = 0 }: Scenario, seed = 1): Outcome {
  const random = createRandom(seed)
  const agenda = createAgenda()
  const queues: Queue[] = Array.from({ length: HAPROXIES }, () => ({
    slots: SLOTS / HAPROXIES,
    running: new Set(),
    waiting: new Set(),
  }))
  const waits: number[] = []
  const counts = { previews: 0, refused: 0, captures: 0, hotCaptures: 0 }
  const isDuringEvent = () => event !== undefined && agenda.now >= EVENT_S && agenda.now < EVENT_S + event.forS
  const isCounted = (time: number) => time >= (event ? EVENT_S : WARM_UP_S)
  const exponential = (perSecond: number) => -Math.log(1 - random()) / perSecond

  function arrive() {
    const perSecond = SLOTS * load * (isDuringEvent() ? (event?.load ?? 1) : 1)
    agenda.after(exponential(perSecond), arrive)
    request({ arrivedAt: agenda.now, attempts: 0, isHot: false, isGone: false })
  }

  /** Hits that become captures while Redis is away. */
  function arriveWithoutRedis() {
    if (!isDuringEvent()) return
    agenda.after(exponential(HITS_ON_REDIS_PER_S), arriveWithoutRedis)
    request({ arrivedAt: agenda.now, attempts: 0, isHot: false, isGone: false })
  }

  /** Fronts that capture the hot page, or have done so: one by the lock in Redis, without it each. */
  const captors = new Set<number>()
  function arriveHot(perSecond: number) {
    if (!isDuringEvent()) return
    agenda.after(exponential(perSecond), () => arriveHot(perSecond))
    const front = event?.isRedisAway ? Math.floor(random() * FRONTS) : 0
    if (captors.has(front)) return
    captors.add(front)
    request({ arrivedAt: agenda.now, attempts: 0, isHot: true, isGone: false })
  }

  function request(capture: Capture) {
    if (capture.attempts === 0 && isCounted(capture.arrivedAt)) counts.previews++
    const queue = queues[Math.floor(random() * HAPROXIES)]!
    const workers = (queue.slots * HAPROXIES) / SLOTS_PER_WORKER
    if (queue.waiting.size > MAX_WAITING_PER_WORKER * workers) return refuse(capture, queue.waiting.size / queue.slots)
    queue.waiting.add(capture)
    startNext(queue)
  }

  function refuse(capture: Capture, retryAfterS: number) {
    if (capture.attempts < retries) {
      const again = { ...capture, attempts: capture.attempts + 1 }
      agenda.after(retryAfterS * (1 + random() / 4), () => request({ ...again, arrivedAt: agenda.now }))
    } else if (isCounted(capture.arrivedAt)) counts.refused++
  }

  function startNext(queue: Queue) {
    for (const capture of queue.waiting) {
      if (queue.running.size >= queue.slots) return
      queue.waiting.delete(capture)
      const waited = agenda.now - capture.arrivedAt
      if (waited > QUEUE_TIMEOUT_S) {
        if (isCounted(capture.arrivedAt)) counts.refused++
        continue
      }
      if (isCounted(capture.arrivedAt)) waits.push(waited)
      counts.captures++
      if (capture.isHot) counts.hotCaptures++
      queue.running.add(capture)
      agenda.after(capture.isHot ? HOT_PAGE_S : logNormal(random), () => {
        if (capture.isGone) return
        queue.running.delete(capture)
        startNext(queue)
      })
    }
  }

  function setSlots(all: number) {
    for (const queue of queues) {
      queue.slots = Math.round(all / HAPROXIES)
      startNext(queue)
    }
  }

  /** What their workers ran begins again, behind all that wait. */
  function loseWorkers(share: number) {
    setSlots(SLOTS * (1 - share))
    for (const queue of queues)
      for (const capture of queue.running)
        if (random() < share) {
          capture.isGone = true
          queue.running.delete(capture)
          queue.waiting.add({ ...capture, isGone: false })
        }
  }

  agenda.at(0, arrive)
  if (event) {
    const { forS, load: factor = 1, lost = 0, isRedisAway, hotPage } = event
    if (lost > 0) {
      agenda.at(EVENT_S, () => loseWorkers(lost))
      agenda.at(EVENT_S + forS, () => setSlots(SLOTS))
    }
    if (isRedisAway && !hotPage) agenda.at(EVENT_S, arriveWithoutRedis)
    if (hotPage) agenda.at(EVENT_S, () => arriveHot(hotPage))
    if (scaledAfterS !== undefined) agenda.at(EVENT_S + scaledAfterS, () => setSlots(SLOTS * factor))
  }
  agenda.runUntil(END_S)

  waits.sort((one, other) => one - other)
  const percentile = (share: number) => waits[Math.floor(waits.length * share)] ?? 0
  return {
    wait: { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) },
    refused: counts.refused / counts.previews,
    captures: counts.captures,
    hotCaptures: counts.hotCaptures,
  }
}

/** Rows of the table: scenario, waits, refused, captures of the hot page. */
export function simulationRows(): string[][] {
  const seconds = (value: number) => `${value.toFixed(1)} s`
  return SCENARIOS.map((scenario) => {
    const { wait, refused, hotCaptures } = simulate(scenario)
    const share = `${(refused * 100).toFixed(1)} %`
    return [scenario.name, seconds(wait.p50), seconds(wait.p95), seconds(wait.p99), share, String(hotCaptures || '')]
  })
}
export const SIMULATION_HEAD = ['scenario', 'wait p50', 'wait p95', 'wait p99', 'refused', 'captures of the page']

function logNormal(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.exp(CAPTURE_SIGMA * normal - CAPTURE_SIGMA ** 2 / 2)
}

/** What happens when, as a binary heap. */
function createAgenda() {
  const heap: { time: number; run: () => void }[] = []
  const swap = (one: number, other: number) => ([heap[one], heap[other]] = [heap[other]!, heap[one]!])
  const isBefore = (one: number, other: number) => heap[one]!.time < heap[other]!.time
  function push(time: number, run: () => void) {
    let at = heap.push({ time, run }) - 1
    for (let parent; at > 0 && isBefore(at, (parent = (at - 1) >> 1)); at = parent) swap(at, parent)
  }
  function pop() {
    const first = heap[0]!
    const last = heap.pop()!
    if (heap.length > 0) heap[0] = last
    for (let at = 0; ;) {
      const left = 2 * at + 1
      let least = at
      for (const child of [left, left + 1]) if (child < heap.length && isBefore(child, least)) least = child
      if (least === at) return first
      swap(at, least)
      at = least
    }
  }
  const agenda = {
    now: 0,
    at: push,
    after: (seconds: number, run: () => void) => push(agenda.now + seconds, run),
    runUntil(end: number) {
      while (heap.length > 0 && heap[0]!.time <= end) {
        const { time, run } = pop()
        agenda.now = time
        run()
      }
    },
  }
  return agenda
}

if (process.argv[1] === import.meta.filename)
  console.log(formatTable([SIMULATION_HEAD, ...simulationRows()]).join('\n'))
