// Covers stories/docs/scaling.mdx: its simulation is that of `npm run simulate`, and its metrics are those of the service.
import { expect, it } from 'vitest'
import { createService } from '../../src/server/index.js'
import { SIMULATION_HEAD, simulationRows } from '../simulation/simulate.js'
import { readDocs } from './read-docs.js'

const { tables } = readDocs().find(({ path }) => path === 'stories/docs/scaling.mdx')!
const tableOf = (head: string) => tables.find((table) => table.head[0] === head)!

it('has the table of the simulation', { timeout: 60_000 }, () => {
  expect(tableOf('scenario').head).toEqual(SIMULATION_HEAD)
  expect(tableOf('scenario').rows).toEqual(simulationRows())
})

it('says to watch metrics that fronts and workers have', async () => {
  const shared = { workerSecret: 'a secret that a front and a worker of this test share' }
  const front = createService({ ...shared, role: 'front', workers: 'http://127.0.0.1:1', redis: 'redis://127.0.0.1:1' })
  const worker = createService({ ...shared, role: 'worker' })
  const services = { front, worker }
  for (const [cell, of] of tableOf('metric').rows) {
    if (of === 'HAProxy') continue
    const service = services[of as keyof typeof services]
    const samples = await (await service.fetch(new Request('http://previews.test/metrics'))).text()
    for (const [name] of cell!.matchAll(/page_preview_\w+/g))
      if (name !== 'page_preview_bucket_up') expect(samples).toContain(`# TYPE ${name} `)
  }
  await Promise.all([front.close(), worker.close()])
})
