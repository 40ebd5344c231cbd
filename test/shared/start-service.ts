import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readServeOptions, serve, type RunningServer } from '../../src/server/index.js'

export interface StartedService extends RunningServer {
  /** What the service keeps, and room for what a test writes; gone when it is stopped. */
  dataDir: string
}

/**
 * Starts the service as its command does, on its own ports and in its own folder; the browser starts with the first capture,
 * because most tests need none.
 */
export async function startService(...flags: string[]): Promise<StartedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'page-preview-service-'))
  const own = ['--port=0', '--pro-port=0', '--demo-port=0', `--data-dir=${dataDir}`, '--log-level=silent']
  const serving = await serve(readServeOptions([...own, ...flags], {}), { warm: false })
  return {
    ...serving,
    dataDir,
    async stop() {
      await serving.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
