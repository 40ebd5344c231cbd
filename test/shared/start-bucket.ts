import { createHash, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { isSigned } from './is-signed.js'

export interface TestBucket {
  /** URL of an unused folder in the bucket, with credentials. */
  freshUrl(): string
  /** Number of requests so far. */
  requests(): number
  /** Names of all images in a folder, in order. */
  images(url: string): Promise<string[]>
  /** The folders in a folder that have an image, in order. */
  foldersOf(url: string, name: string): Promise<string[]>
  /** Deletes an image from all folders. */
  deleteEverywhere(name: string): Promise<void>
  /** Replaces the bytes of an object, so that they do not match the hash in its name. */
  overwrite(url: string, name: string, text: string): void
  stop(): Promise<void>
  /** Responds to requests with an error, until it is called without one. */
  failWith(error?: { method: 'PUT' | 'GET'; status: number; code: string }): void
  /** Starts it again at the same port, with its objects. */
  restart(): Promise<void>
  close(): Promise<void>
}

const NAME = 'previews'
const SECRET = 'S3RVER'
const CREDENTIALS = `S3RVER:${SECRET}`

/** Starts an S3 server that checks signatures. */
export async function startBucket(): Promise<TestBucket> {
  const directory = await mkdtemp(join(tmpdir(), 'page-preview-s3-'))
  const start = async (port: number) => {
    const server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory,
      configureBuckets: [{ name: NAME }],
    })
    storeBeforeResponse(server)
    server.middleware.unshift(async (context, next) => {
      requests++
      if (failure && failure.method === context.req.method) {
        const { status, code } = failure
        return void Object.assign(context, { status, body: `<Error><Code>${code}</Code></Error>` })
      }
      if (isSigned(context.req, SECRET)) return next()
      Object.assign(context, { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' })
    })
    return { server, port: (await server.run()).port }
  }
  let requests = 0
  let failure: { method: 'PUT' | 'GET'; status: number; code: string } | undefined
  let { server, port } = await start(0)
  let folders = 0

  return {
    freshUrl: () => `s3://${CREDENTIALS}@${NAME}/folder-${folders++}?endpoint=http://127.0.0.1:${port}`,
    requests: () => requests,
    async images(url) {
      const files = await readdir(join(directory, NAME, new URL(url).pathname), { recursive: true })
      const names = files.map((file) => /^(?:\d+-days\/)([\da-f]{64}\.[a-z\d]+)\._S3rver_object$/.exec(file)?.[1])
      return names.flatMap((name) => name ?? []).toSorted()
    },
    async foldersOf(url, name) {
      const files = await readdir(join(directory, NAME, new URL(url).pathname), { recursive: true })
      return files.flatMap((file) => (file.endsWith(`${name}._S3rver_object`) ? dirname(file) : [])).toSorted()
    },
    async deleteEverywhere(name) {
      const files = await readdir(join(directory, NAME), { recursive: true })
      for (const path of files) if (path.includes(name)) await rm(join(directory, NAME, path))
    },
    overwrite: (url, name, text) =>
      writeFileSync(join(directory, NAME, new URL(url).pathname, '2-days', `${name}._S3rver_object`), text),
    failWith: (error) => void (failure = error),
    stop: () => server.close(),
    async restart() {
      ;({ server } = await start(port))
    },
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** S3 responds when an object can be read, and shows no half of it; s3rver responds while it still writes the file. */
function storeBeforeResponse({ store }: S3rver): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = await buffer(content)
    const md5 = createHash('md5').update(bytes).digest('hex')
    const path = store.getResourcePath(bucket, key, 'object')
    await mkdir(dirname(path), { recursive: true })
    const unfinishedPath = `${path}.${randomUUID()}`
    await writeFile(unfinishedPath, bytes)
    await store.putMetadata(bucket, key, metadata, md5)
    await rename(unfinishedPath, path)
    return { size: bytes.length, md5 }
  }
}
