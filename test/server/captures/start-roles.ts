import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  readServeOptions,
  serve,
  serveWorker,
  type RunningServer,
  type RunningWorker,
} from '../../../src/server/serve.js'

export const SECRET = 'a secret that fronts and workers share'
const env = { PAGE_PREVIEW_WORKER_SECRET: SECRET }

/** Starts a worker as its command does; its browser starts with the first capture. */
export const startWorker = (...flags: string[]): Promise<RunningWorker> =>
  serveWorker(readServeOptions(['--role=worker', '--port=0', '--log-level=silent', ...flags], env), { warm: false })

/** Starts a front as its command does, in its own folder. */
export async function startFront(workers: string, ...flags: string[]): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'page-preview-front-'))
  const own = ['--role=front', `--workers=${workers}`, '--port=0', '--pro-port=0', `--data-dir=${dataDir}`]
  const front = await serve(readServeOptions([...own, '--log-level=silent', ...flags], env), { warm: false })
  return {
    ...front,
    async stop() {
      await front.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
