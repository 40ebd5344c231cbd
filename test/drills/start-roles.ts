import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Redis } from 'ioredis'
import { findServerProgram, HAPROXY, programEnvironment } from '../shared/find-server-program.js'
import { freePort } from '../shared/free-port.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'
import { startRedis, type TestRedis } from '../shared/start-redis.js'
import { startNumberedSite, type NumberedSite } from './numbered-site.js'
import { withSmallDisk } from './small-disk.js'
import { startMember, type Member, type MemberOptions } from './start-member.js'
import { createWorkerNetwork } from './worker-network.js'

/** Fronts, HAProxies and workers as stories/recipes/scale sets them up, on one Redis and one bucket, and a site to preview. */
export interface Cluster {
  site: NumberedSite
  redis: TestRedis
  redisUrl: string
  bucket: TestBucket
  /** Of the load balancer in front of the fronts. */
  url: string
  /** Where both HAProxies listen: a new connection reaches one that runs. */
  capturesUrl: string
  fronts: Front[]
  haproxies: Member[]
  workers: Member[]
  workerSecret: string
  /** Whether workers have no route to Redis and the bucket. */
  isIsolated: boolean
  /** Deletes everything in Redis. */
  flush(): Promise<void>
  /** Captures that run and wait, in both HAProxies. */
  outstanding(): Promise<number>
  stop(): Promise<void>
}

export interface Front extends Member {
  /** Of the free host. */
  url: string
  proUrl: string
  dataDir: string
}

const FRONTS = 3
const WORKERS = 3
const HAPROXIES = 2
/** The reserve not included. */
export const WORKER_SLOTS = 2
/** The front whose disk can be filled. */
export const SMALL_DISK_FRONT = 2
/** Longer than a load balancer takes to notice. */
const DRAIN_DELAY_S = 2
const SERVE = [
  process.execPath,
  resolve(import.meta.dirname, '../../src/server/dist/static/commands/page-preview-server.js'),
  'serve',
  `--drain-delay=${DRAIN_DELAY_S}`,
  '--log-level=warn',
]
const RECIPE = resolve(import.meta.dirname, '../../stories/recipes/scale')
const SIGNING_SECRET = 'a secret that all fronts of a drill share'

/** @param frontFlags  Further options of each front. */
export async function startRoles(frontFlags: readonly string[] = []): Promise<Cluster> {
  const closings: (() => unknown)[] = []
  const stop = async () => {
    for (const close of closings.toReversed()) await close()
  }
  try {
    return { ...(await startMembers(closings, frontFlags)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @param closings  Takes what ends each part, in the order in which they start. */
async function startMembers(
  closings: (() => unknown)[],
  frontFlags: readonly string[],
): Promise<Omit<Cluster, 'stop'>> {
  const network = createWorkerNetwork()
  const [site, redis, bucket, dir, haproxy] = await Promise.all([
    startNumberedSite(network.siteAddresses),
    startRedis(),
    startBucket(),
    mkdtemp(join(tmpdir(), 'page-preview-drill-')),
    findServerProgram(HAPROXY),
  ])
  closings.push(
    () => rm(dir, { recursive: true, force: true }),
    () => network.close(),
    () => Promise.all([site.close(), redis.close(), bucket.close()]),
  )
  if ('missing' in haproxy) throw new Error(`There is no HAProxy: ${haproxy.missing}`)
  const { path: haproxyProgram, libraryPath } = haproxy
  const redisUrl = redis.freshUrl()
  const s3Url = bucket.freshUrl()
  const workerSecret = 'a secret that fronts and workers of a drill share'
  const secretFile = join(dir, 'worker-secret')
  await writeFile(secretFile, workerSecret)
  const capturesPort = await freePort()

  async function start(options: MemberOptions): Promise<Member> {
    const member = await startMember(options)
    closings.push(() => member.kill())
    return member
  }

  async function startWorker(index: number): Promise<Member & { address: string }> {
    const port = await freePort()
    const flags = [
      '--role=worker',
      `--host=${network.workerAddress}`,
      `--port=${port}`,
      `--worker-secret-file=${secretFile}`,
      `--concurrency=${WORKER_SLOTS}`,
      ...site.hosts.map((host) => `--allow-target=${host}`),
      `--data-dir=${join(dir, `worker${index}`)}`,
    ]
    const member = await start({
      name: `worker${index}`,
      command: [...network.within, ...SERVE, ...flags],
      env: process.env,
      adminUrl: `http://${network.workerAddress}:${port}`,
      readyPath: '/readyz',
      stopSignal: 'SIGTERM',
    })
    return Object.assign(member, { address: `${network.workerAddress}:${port}` })
  }

  /** @param edit  Puts the addresses of this machine into a file of the recipe. */
  async function startHaproxy(name: string, file: string, edit: (config: string) => string): Promise<Member> {
    const metricsPort = await freePort()
    const path = join(dir, `${name}.cfg`)
    const metrics = `frontend metrics\n  bind 127.0.0.1:${metricsPort}\n  monitor-uri /healthz\n  http-request use-service prometheus-exporter if { path /metrics }\n`
    const config = (await readFile(join(RECIPE, file), 'utf8')).replace(/^frontend metrics\n(?: .*\n)*/m, '')
    await writeFile(path, edit(config) + metrics)
    return start({
      name,
      command: [haproxyProgram, '-db', '-f', path],
      env: programEnvironment(libraryPath),
      adminUrl: `http://127.0.0.1:${metricsPort}`,
      readyPath: '/healthz',
      stopSignal: 'SIGUSR1',
    })
  }

  async function startFront(index: number): Promise<Front> {
    const [port, proPort, adminPort] = await Promise.all([freePort(), freePort(), freePort()])
    const dataDir = join(dir, `front${index}`)
    const flags = [
      '--role=front',
      `--workers=http://127.0.0.1:${capturesPort}`,
      `--worker-secret-file=${secretFile}`,
      `--redis=${redisUrl}`,
      `--s3=${s3Url}`,
      ...site.hosts.map((host) => `--allow-target=${host}`),
      `--port=${port}`,
      `--pro-port=${proPort}`,
      `--admin-port=${adminPort}`,
      '--trust-proxy=1',
      '--free-daily-limit=1000000',
      `--data-dir=${dataDir}`,
      ...frontFlags,
    ]
    const within = index === SMALL_DISK_FRONT ? withSmallDisk(dataDir) : []
    const member = await start({
      name: `front${index}`,
      command: [...within, ...SERVE, ...flags],
      env: { ...process.env, PAGE_PREVIEW_SIGNING_SECRET: SIGNING_SECRET },
      adminUrl: `http://127.0.0.1:${adminPort}`,
      readyPath: '/readyz',
      stopSignal: 'SIGTERM',
    })
    return Object.assign(member, { url: `http://127.0.0.1:${port}`, proUrl: `http://127.0.0.1:${proPort}`, dataDir })
  }

  const workers: (Member & { address: string })[] = []
  for (let index = 0; index < WORKERS; index++) workers.push(await startWorker(index))
  const haproxies: Member[] = []
  for (let index = 0; index < HAPROXIES; index++)
    haproxies.push(
      await startHaproxy(`haproxy${index}`, 'haproxy.cfg', (config) =>
        config
          .replace('bind :8000', `bind 127.0.0.1:${capturesPort}`)
          .replace(
            /server-template w .*/,
            workers.map(({ name, address }) => `server ${name} ${address}`).join('\n  '),
          ),
      ),
    )
  const fronts: Front[] = []
  for (let index = 0; index < FRONTS; index++) fronts.push(await startFront(index))
  const edgePort = await freePort()
  const unusedPort = await freePort()
  const serversOf = (ports: 'url' | 'proUrl') =>
    fronts
      .map((front) => `server ${front.name} ${new URL(front[ports]).host} check port ${new URL(front.adminUrl).port}`)
      .join('\n  ')
  await startHaproxy('edge', 'edge.cfg', (config) =>
    config
      .replace('bind :3000', `bind 127.0.0.1:${edgePort}`)
      .replace('bind :3001', `bind 127.0.0.1:${unusedPort}`)
      .replace(/server-template front 20 "\$\{FRONTS\}:3000".*/, serversOf('url'))
      .replace(/server-template front 20 "\$\{FRONTS\}:3001".*/, serversOf('proUrl')),
  )

  return {
    site,
    redis,
    redisUrl,
    bucket,
    url: `http://127.0.0.1:${edgePort}`,
    capturesUrl: `http://127.0.0.1:${capturesPort}/captures`,
    fronts,
    haproxies,
    workers,
    workerSecret,
    isIsolated: network.isIsolated,
    async flush() {
      const client = new Redis(redisUrl)
      await client.flushall()
      client.disconnect()
    },
    async outstanding() {
      const sessions = haproxies.map((member) =>
        member.metric('haproxy_backend_current_sessions', 'proxy="workers"').catch(() => 0),
      )
      return (await Promise.all(sessions)).reduce((sum, count) => sum + count, 0)
    },
  }
}
