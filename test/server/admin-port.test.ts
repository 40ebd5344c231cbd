// Covers which port serves the state and the metrics of the service.
import { expect, it } from 'vitest'
import { startService } from '../shared/start-service.js'

const PATHS = ['/healthz', '/readyz', '/metrics']
const statuses = (base: string) => Promise.all(PATHS.map(async (path) => (await fetch(base + path)).status))
/** The browser starts with the first request for `/readyz`. */
const TO_START = { timeout: 20_000 }

it('serves state and metrics on the free host alone', async () => {
  const service = await startService()
  const { free, pro, admin } = service
  await expect.poll(() => statuses(free), TO_START).toEqual([200, 200, 200])
  expect([await statuses(pro), admin]).toEqual([[200, 404, 404], undefined])
  await service.stop()
})

it('serves state and metrics on the admin port alone, if there is one', async () => {
  const service = await startService('--admin-port=0')
  const { free, pro, admin } = service
  expect([await statuses(free), await statuses(pro)]).toEqual([
    [200, 404, 404],
    [200, 404, 404],
  ])
  await expect.poll(() => statuses(admin!), TO_START).toEqual([200, 200, 200])
  expect((await fetch(`${admin}/?url=https://example.com`)).status).toBe(404)
  expect((await fetch(`${admin}/metrics`)).headers.has('access-control-allow-origin')).toBe(false)
  await service.stop()
})

it('serves no metrics under the name of the pro host', async () => {
  const service = await startService('--pro-host=127.0.0.1')
  const { free } = service
  expect(await statuses(free)).toEqual([200, 404, 404])
  await service.stop()
})
