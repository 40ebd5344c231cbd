// Covers runs of the built command `freeze` with a real browser that are killed at any moment.
import { chmod, readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readLock } from '../../src/static/freeze/lock.js'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import { createRandom } from '../shared/create-random.js'
import { finishedPreviews } from '../shared/finished-previews.js'
import { startFreeze } from '../shared/start-freeze.js'
import { pageWith, temporarySite } from '../static/freeze/temporary-site.js'

/** Each run starts a browser. */
const TIMEOUT_MS = 600_000
const KILLS = 20
const LINKS = 24
/** Previews that are requested at the same time: two for each capture. */
const MAX_RUNNING = 4
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']

let sites: LocalSite[]
let visited: string[] = []
const page: Route = (request, response) => {
  visited.push(`http://${request.headers.host}${request.url}`)
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(`<!doctype html><html lang="en"><title>Page ${request.url}</title><h1>Page ${request.url}</h1>`)
}

beforeAll(async () => {
  sites = await Promise.all(ADDRESSES.map((address) => localSite({ '/': page }, 0, address)))
})
afterAll(() => Promise.all(sites.map((site) => site.close())))

it(
  `leaves site and lock file whole when it is killed ${KILLS} times, captures nothing twice that it had finished, and leaves no process behind`,
  async () => {
    const urls = Array.from({ length: LINKS }, (_, index) => `${sites[index % sites.length]!.url}/?page=${index}`)
    const built = { 'index.html': pageWith(...urls.slice(0, 14)), 'blog/two.html': pageWith(...urls.slice(10)) }
    const site = await temporarySite(built)
    // The browser runs as another user where the test is root.
    await chmod(site.folder, 0o711)
    const targets = sites.map(({ host }) => `--allow-target=${host}`)
    const args = [
      site.dir,
      `--lock=${site.paths.lock}`,
      `--cache=${site.paths.cache}`,
      '--allow-unsandboxed',
      ...targets,
    ]
    const env = { ...process.env, TMPDIR: site.folder }
    const random = createRandom(11)
    const seen = new Map(Object.keys(built).map((name) => [name, new Set<string>()]))

    for (let kill = 0; kill < KILLS; kill++) {
      const finished = await finishedPreviews(site.paths.cache)
      visited = []
      const run = startFreeze(args, env)
      const isMomentThere =
        kill % 2 === 0
          ? () => visited.length > random() * 6
          : async () => (await finishedPreviews(site.paths.cache)).size > finished.size
      while (run.isRunning() && !(await isMomentThere())) await delay(10)
      await Promise.race([delay(random() * 1_000), run.ended])
      run.kill()
      const { output } = await run.ended
      const after = await finishedPreviews(site.paths.cache)
      expect(visited.filter((url) => finished.has(url))).toEqual([])
      expect(new Set(visited.filter((url) => !after.has(url))).size, output).toBeLessThanOrEqual(MAX_RUNNING)
      await expect(readLock(site.paths.lock)).resolves.toBeInstanceOf(Map)
      for (const [name, contents] of seen) contents.add(await site.read(name))
      await expect.poll(() => processesOf(site.folder), { timeout: 10_000 }).toEqual([])
    }
    expect(await startFreeze(args, env).ended).toMatchObject({ code: 0 })
    for (const [name, contents] of seen) {
      const frozen = await site.read(name)
      expect(frozen.match(/class="pp-image"/g)).toHaveLength(14)
      expect([built[name as keyof typeof built], frozen]).toEqual(expect.arrayContaining([...contents]))
    }
    expect((await readLock(site.paths.lock)).size).toBe(LINKS)
  },
  TIMEOUT_MS,
)

/** Command lines of running processes that name a folder. */
async function processesOf(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(folder)).map((line) => line.replaceAll('\0', ' ').slice(0, 200))
}
