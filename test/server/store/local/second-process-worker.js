// The second process of `start-second-process.ts`: opens the store, calls the methods that messages name, and sends back their results.
import { runnerImport } from 'vite'

const [dataDir, maxBytes] = process.argv.slice(2)
const { module } = await runnerImport(
  new URL('../../../../src/server/store/local/open-local-store.ts', import.meta.url).pathname,
)
const store = await module.openLocalStore({ dataDir, maxBytes: Number(maxBytes) })

const methods = {
  writeKey: (key) => store.apiKeys.writeKey(key),
  readKey: (id) => store.apiKeys.readKey(id),
  readEntry: (key) => store.entries.readEntry(key),
  /** Writes entries with an image each until the process is killed. */
  async writeForever(prefix) {
    for (let count = 0; ; count++) await writeOne(`${prefix}${count}`)
  },
  async writeMany(prefix, count) {
    for (let index = 0; index < count; index++) await writeOne(`${prefix}${index}`)
  },
  close: () => store.close(),
}

async function writeOne(key) {
  const image = await store.images.writeImage(Buffer.alloc(20_000, key), 'jpg')
  const createdAt = Date.now()
  await store.entries.writeEntry(key, { createdAt, expiresAt: createdAt + 60_000, images: [image], body: { key } })
  process.send({ key })
}

async function call(method, args) {
  process.send({ method, result: await methods[method](...args) })
}

process.on('message', ({ method, args }) => void call(method, args))
process.on('disconnect', () => process.exit())
process.send({ method: 'open' })
