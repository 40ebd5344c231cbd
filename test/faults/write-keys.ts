// A script: writes API keys and counts requests until it is ended, and prints the id of each key once it is stored.
import { writeSync } from 'node:fs'
import { argv } from 'node:process'
import { openLocalStore } from '../../src/server/store/local/open-local-store.js'

const [dataDir = '', prefix = '', count = 'Infinity'] = argv.slice(2)
const store = await openLocalStore({ dataDir, maxBytes: 10_000_000 })
for (let index = 0; index < Number(count); index++) {
  const id = `${prefix}${index}`
  for (let request = 0; request < 3; request++) await store.counters.countRequest('192.0.2.1', '2026-01-01')
  await store.apiKeys.writeKey({ id, name: 'n', verificationHash: 'h'.repeat(64), createdAt: index })
  for (let request = 0; request < 3; request++) await store.counters.countRequest('192.0.2.1', '2026-01-01')
  writeSync(1, `stored ${id}\n`)
}
