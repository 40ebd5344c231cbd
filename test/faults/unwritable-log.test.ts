// Covers the built service whose log goes to a file on a full disk.
import { existsSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { startInstance } from './start-instance.js'

it.runIf(existsSync('/dev/full'))('serves requests, and logs nothing', async () => {
  const within = ['sh', '-c', 'exec "$0" "$@" 2>/dev/full']
  const service = await startInstance({ flags: ['--access-log'], within })
  onTestFinished(() => service.stop())
  // A refused target, whose failure is logged too; then its cached response.
  for (let request = 0; request < 3; request++)
    expect((await service.get({ url: 'http://10.0.0.1/', meta: 'false' })).status).toBe(403)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
})
