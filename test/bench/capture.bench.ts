import { launch, type Browser, type CDPSession } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatTable } from '../shared/format-table.js'
import { startBuiltService, type Child } from './children.js'
import { addCpuTime, cpuParts, readCpuTime, subtractCpuTime, totalMs, type CpuTime } from './cpu-time.js'

/** Both take turns in rounds, because the machine may become slower or faster. */
const ROUNDS = 5
const CAPTURES_PER_ROUND = 12
const MAX_P50_RATIO = 1.5

let service: Child
let chromium: Browser
let root: CDPSession

/** Names of this machine, each a host of its own for the service. */
const HOSTNAMES = ['127.0.0.1', 'localhost', 'demo.localhost']

beforeAll(async () => {
  service = await startBuiltService(['--trust-proxy=1', ...HOSTNAMES.map((name) => `--allow-target=${name}`)])
  chromium = await launch({
    executablePath: process.env.CHROMIUM_PATH!,
    args: ['--no-sandbox', '--hide-scrollbars', '--disable-background-networking'],
  })
  root = await chromium.target().createCDPSession()
})
afterAll(async () => {
  await chromium.close()
  await service.stop()
})

/** The minimum work of a screenshot: a context, a page, its navigation, the capture. */
async function bareCapture(url: string): Promise<void> {
  const { browserContextId } = await root.send('Target.createBrowserContext')
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const target = await chromium.waitForTarget(
    (candidate) => '_targetId' in candidate && candidate._targetId === targetId,
  )
  const session = await target.createCDPSession()
  await session.send('Page.enable')
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: 1280,
    height: 800,
    deviceScaleFactor: 2,
    mobile: false,
  })
  const loaded = new Promise((resolve) => session.once('Page.loadEventFired', resolve))
  await session.send('Page.navigate', { url })
  await loaded
  const { data } = await session.send('Page.captureScreenshot', { format: 'jpeg', quality: 80 })
  expect(data.length).toBeGreaterThan(1_000)
  await root.send('Target.disposeBrowserContext', { browserContextId })
}

async function serviceCapture(url: string, client: number): Promise<void> {
  const response = await fetch(`${service.url}/?screenshot=true&url=${encodeURIComponent(url)}`, {
    headers: { 'x-forwarded-for': `192.0.2.${client}` },
  })
  expect([response.status, response.headers.get('x-cache-status')]).toEqual([200, 'MISS'])
  await response.arrayBuffer()
}

interface Measurement {
  /** Milliseconds of each capture. */
  durations: number[]
  elapsedMs: number
  cpu: CpuTime
}

const nothing = (): Measurement => ({ durations: [], elapsedMs: 0, cpu: subtractCpuTime() })
let pageNumber = 0

/** As many clients as captures at once, each with pages of its own host or all with pages of one. */
interface Load {
  concurrency: number
  isOneHost: boolean
}

async function measureRound(
  pid: number,
  { concurrency, isOneHost }: Load,
  capture: (url: string, client: number) => Promise<void>,
): Promise<Measurement> {
  const durations: number[] = []
  let left = CAPTURES_PER_ROUND
  const { port } = new URL(service.demo)
  const captureNext = async (_: unknown, client: number) => {
    const hostname = HOSTNAMES[isOneHost ? 0 : client]
    while (left-- > 0) {
      const startedAt = performance.now()
      await capture(`http://${hostname}:${port}/?page=${pageNumber++}`, client)
      durations.push(performance.now() - startedAt)
    }
  }
  const before = readCpuTime(pid)
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }).map(captureNext))
  const elapsedMs = performance.now() - startedAt
  return { durations, elapsedMs, cpu: subtractCpuTime(readCpuTime(pid), before) }
}

const sum = (a: Measurement, b: Measurement): Measurement => ({
  durations: [...a.durations, ...b.durations],
  elapsedMs: a.elapsedMs + b.elapsedMs,
  cpu: addCpuTime(a.cpu, b.cpu),
})

const p50 = ({ durations }: Measurement) => durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)]!
const throughput = ({ durations, elapsedMs }: Measurement) => (1_000 * durations.length) / elapsedMs

function report({ concurrency, isOneHost }: Load, bare: Measurement, ours: Measurement): string {
  const perCapture = (ms: number) => String(Math.round(ms / ours.durations.length))
  const ratio = (a: number, b: number) => (a / b).toFixed(2)
  const rows = [
    ['p50, ms', p50(bare).toFixed(0), p50(ours).toFixed(0), ratio(p50(ours), p50(bare))],
    [
      'captures per second',
      throughput(bare).toFixed(2),
      throughput(ours).toFixed(2),
      ratio(throughput(ours), throughput(bare)),
    ],
    [
      'CPU per capture, ms',
      perCapture(totalMs(bare.cpu)),
      perCapture(totalMs(ours.cpu)),
      ratio(totalMs(ours.cpu), totalMs(bare.cpu)),
    ],
    ...cpuParts.map((part) => [`  ${part}`, perCapture(bare.cpu[part]), perCapture(ours.cpu[part]), '']),
  ]
  return formatTable([
    [`${concurrency} at once, ${isOneHost ? 'one host' : 'different hosts'}`, 'bare CDP', 'service', 'ratio'],
    ...rows,
  ]).join('\n')
}

it.each<Load>([false, true].flatMap((isOneHost) => [1, 2, 3].map((concurrency) => ({ concurrency, isOneHost }))))(
  'uncached screenshots with the default settings, $concurrency at once (one host: $isOneHost), compared with bare CDP on the same Chromium',
  async (load) => {
    let [bare, ours] = [nothing(), nothing()]
    for (let round = -1; round < ROUNDS; round++) {
      const bareRound = await measureRound(chromium.process()!.pid!, load, bareCapture)
      const ourRound = await measureRound(service.pid, load, serviceCapture)
      // The first round warms up.
      if (round >= 0) [bare, ours] = [sum(bare, bareRound), sum(ours, ourRound)]
    }
    console.log(report(load, bare, ours))
    expect(p50(ours) / p50(bare)).toBeLessThanOrEqual(MAX_P50_RATIO)
  },
)
