// Covers three built instances behind a load balancer, with 20 requests a second, while something is taken away and given back.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, TestRunner, vi } from 'vitest'
import type { DrillReport } from './drill-report.js'
import { HAPROXY, NGINX, startBalancer, type Balancer } from './start-balancer.js'
import { startLoad } from './send-load.js'
import { fillSmallDisk } from './small-disk.js'
import { SMALL_DISK_INSTANCE, startCluster, type Cluster } from './start-cluster.js'
import { CLOCK_AHEAD, storeDrills, type Drill } from './store-drills.js'

/** Before and after what a drill does. */
const QUIET_MS = 2_000
const AWAY_MS = 5_000
const MIN_REQUESTS = 50
const MINUTE_MS = 60_000

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
}, 120_000)
afterAll(() => cluster.stop())

const DRILLS: readonly Drill[] = [
  {
    name: 'rolling restart of all instances',
    async run() {
      for (const index of cluster.instances.keys()) await cluster.replace(index)
    },
  },
  {
    name: 'an instance is killed, and started again',
    async run() {
      await cluster.instances[0]!.kill()
      await delay(AWAY_MS)
      await cluster.start(0)
    },
  },
  {
    name: 'an instance hangs for 5 seconds',
    async run() {
      const { pid } = cluster.instances[1]!
      process.kill(pid, 'SIGSTOP')
      await delay(AWAY_MS)
      process.kill(pid, 'SIGCONT')
    },
  },
  ...storeDrills(() => cluster, AWAY_MS),
  {
    name: 'the disk of an instance is full for 5 seconds',
    async run() {
      const makeRoom = fillSmallDisk(cluster.instances[SMALL_DISK_INSTANCE]!)
      await delay(AWAY_MS)
      makeRoom()
    },
  },
  {
    name: 'the clock of an instance is 10 minutes ahead',
    async run() {
      await cluster.replace(0, { NODE_OPTIONS: CLOCK_AHEAD })
      await delay(AWAY_MS)
      await cluster.replace(0)
    },
  },
]

describe.each([
  ['nginx', NGINX],
  ['HAProxy', HAPROXY],
])('behind %s', (balancerName, program) => {
  let balancer: Balancer
  beforeAll(async () => {
    balancer = await startBalancer(program, cluster.ports)
  }, 240_000)
  afterAll(() => balancer.stop())

  it.each(DRILLS)('$name', async ({ name, mayFail = 0, run }) => {
    const load = startLoad({ url: balancer.url, site: cluster.site })
    onTestFinished(async () => void (await load.stop()))
    await delay(QUIET_MS)
    await run()
    await delay(QUIET_MS)
    // A busy machine sends fewer in that time.
    await vi.waitUntil(() => load.report.sent >= MIN_REQUESTS, { timeout: MINUTE_MS })
    const report: DrillReport = { name: `${name}, behind ${balancerName}`, mayFail, ...(await load.stop()) }
    const test = TestRunner.getCurrentTest()
    if (test) test.meta.drill = report
    expect.soft(report.wrong, report.reasons.join('\n')).toBe(0)
    expect.soft(report.failed, report.reasons.join('\n')).toBeLessThanOrEqual(mayFail)
  })
})
