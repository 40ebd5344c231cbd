import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { TestRunner } from 'vitest'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import type { AttackReport } from './attack-report.js'
import { mainThreadCpuMs } from './child-processes.js'

/** The built service in its own process, with the site of an attacker and one of somebody else. */
export interface AttackedService {
  /** The free host, with a slash at its end. */
  url: string
  /** The pro host, with a slash at its end. */
  proUrl: string
  /** Where keys, cache entries and images are. */
  dataDir: string
  pid: number
  /** Pages of the attacker; `routes` may be changed while the service runs. */
  site: LocalSite
  /** What the service has written to its log so far. */
  log(): string
  /** Requests a page of the free host. */
  get(query: Record<string, string>, init?: RequestInit): Promise<Response>
  /** Runs an attack beside an innocent caller; what that caller saw becomes a row of the table at the end. Called in a test. */
  attack(name: string, run: (signal: AbortSignal) => Promise<unknown>): Promise<AttackReport>
  stop(): Promise<void>
}

const COMMAND = resolve(import.meta.dirname, '../../src/server/dist/static/commands/page-preview-server.js')
const HIT_INTERVAL_MS = 25
const METADATA_INTERVAL_MS = 250
const TIMER_RESOLUTION_MS = 5
const INNOCENT_PAGE = '<title>An innocent page</title><meta name="description" content="Read while others attack.">'

export async function startAttackedService(
  routes: Record<string, Route> = {},
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<AttackedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'page-preview-security-'))
  const site = await localSite(routes)
  const innocent = await localSite({ '/': INNOCENT_PAGE })
  const child = spawn(
    process.execPath,
    [
      // As Node limits it by itself on an instance of 1 GB, which the docs recommend.
      '--max-old-space-size=512',
      COMMAND,
      'serve',
      '--port=0',
      '--pro-port=0',
      '--free-daily-limit=1000000',
      `--allow-target=${site.host}`,
      `--allow-target=${innocent.host}`,
      `--data-dir=${dataDir}`,
      ...flags,
    ],
    // As the Docker image and the unit of systemd in the docs set it.
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072', ...env } },
  )
  let log = ''
  const record = (chunk: Buffer) => void (log = (log + String(chunk)).slice(-200_000))
  child.stderr.on('data', record)
  const { url, proUrl } = await readyUrls(child, record)
  const pid = child.pid!
  const get = (query: Record<string, string>, init?: RequestInit) => fetch(`${url}?${new URLSearchParams(query)}`, init)

  return {
    url,
    proUrl,
    dataDir,
    pid,
    site,
    log: () => log,
    get,
    async attack(name, run) {
      const end = new AbortController()
      const watching = watchInnocentCaller({ get, pid, page: innocent.url, signal: end.signal })
      try {
        await run(AbortSignal.any([end.signal, AbortSignal.timeout(60_000)]))
      } finally {
        end.abort()
      }
      const report = { name, ...(await watching) }
      const test = TestRunner.getCurrentTest()
      if (test) test.meta.attacks = [...(test.meta.attacks ?? []), report]
      return report
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await Promise.all([site.close(), innocent.close()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function readyUrls(child: ChildProcess, record: (chunk: Buffer) => void): Promise<{ url: string; proUrl: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      record(chunk)
      text += String(chunk)
      const [, free, pro] = /free=(\S+) pro=(\S+)/.exec(text) ?? []
      if (free && pro) resolve({ url: `${free}/`, proUrl: `${pro}/` })
    })
    child.once('exit', (code) => reject(new Error(`The service ended with ${code} before it was ready.`)))
  })
}

interface InnocentCaller {
  get: AttackedService['get']
  pid: number
  page: string
  signal: AbortSignal
}

async function watchInnocentCaller({ get, pid, page, signal }: InnocentCaller): Promise<Omit<AttackReport, 'name'>> {
  const report = { slowestHitMs: 0, longestBusyMs: 0, slowestMetadataMs: 0, maxRssBytes: 0 }
  // Its connections stay open as connections of a reverse proxy do: Node accepts one new connection in each turn of its event loop.
  await Promise.all([page, `${page}/?first`].map(async (url) => (await get({ url })).text()))
  const repeat = async (intervalMs: number, measure: () => Promise<void>) => {
    do {
      await measure()
      await delay(intervalMs, undefined, { signal }).catch(() => undefined)
    } while (!signal.aborted)
  }
  let count = 0
  await Promise.all([
    repeat(HIT_INTERVAL_MS, async () => {
      const cpuMs = mainThreadCpuMs(pid)
      report.slowestHitMs = Math.max(report.slowestHitMs, await timeOf(() => get({ url: page })))
      report.longestBusyMs = Math.max(report.longestBusyMs, mainThreadCpuMs(pid) - cpuMs)
      report.maxRssBytes = Math.max(report.maxRssBytes, residentBytes(pid))
    }),
    repeat(METADATA_INTERVAL_MS, async () => {
      const fresh = () => get({ url: `${page}/?n=${++count}` })
      report.slowestMetadataMs = Math.max(report.slowestMetadataMs, await timeOf(fresh))
    }),
  ])
  return report
}

/** Without what this process itself was late, because it also serves the attacker's pages and shares its cores with a browser. */
async function timeOf(request: () => Promise<Response>): Promise<number> {
  const lateness = monitorEventLoopDelay({ resolution: TIMER_RESOLUTION_MS })
  lateness.enable()
  const startedAt = performance.now()
  const response = await request()
  await response.text()
  const ms = performance.now() - startedAt
  lateness.disable()
  if (!response.ok) throw new Error(`The innocent caller got ${response.status}.`)
  return ms - Math.max(0, lateness.max / 1e6 - TIMER_RESOLUTION_MS)
}

const residentBytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024
