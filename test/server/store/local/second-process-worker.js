// A second process on the same folder: does what it is told by messages, and answers each with its result.
import { runnerImport } from 'vite'

const [dataDir, maxBytes] = process.argv.slice(2)
const { module } = await runnerImport(new URL('../../../../src/server/store/index.ts', import.meta.url).pathname)
const store = await module.openLocalStore({ dataDir, maxBytes: Number(maxBytes) })

const jobs = {
  writeKey: (key) => store.writeKey(key),
  readKey: (id) => store.readKey(id),
  readEntry: (key) => store.readEntry(key),
  /** Writes answers with an image each until it is killed. */
  async writeForEver(prefix) {
    for (let count = 0; ; count++) await writeOne(`${prefix}${count}`)
  },
  async writeMany(prefix, count) {
    for (let index = 0; index < count; index++) await writeOne(`${prefix}${index}`)
  },
  close: () => store.close(),
}

async function writeOne(key) {
  const image = await store.writeImage(Buffer.alloc(20_000, key), 'jpg')
  const createdAt = Date.now()
  await store.writeEntry(key, { createdAt, expiresAt: createdAt + 60_000, images: [image], body: { key } })
  process.send({ key })
}

async function answer(job, values) {
  process.send({ job, result: await jobs[job](...values) })
}

process.on('message', ({ job, values }) => void answer(job, values))
process.on('disconnect', () => process.exit())
process.send({ job: 'open' })
