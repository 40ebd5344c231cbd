import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openKeys } from '../../src/server/index.js'
import { startRemoteJob, type JobResult } from '../../src/static/remote-job.js'
import { localSite, type LocalSite } from '../local-site.js'
import { temporaryDir } from '../server/store/temporary-dir.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { runCommand } from './commands/run-command.js'

let site: LocalSite
let service: StartedService
let apiKey: string
let sent: string[]
/** Pages below `/held` respond only then. */
let isReleased: boolean

beforeAll(async () => {
  const pages = {
    get: (_: object, path: string) =>
      path === '/missing'
        ? undefined
        : (_request: unknown, response: { end(text: string): void }) => {
            if (!path.startsWith('/held') || isReleased) response.end(`<title>Title of ${path}</title>`)
          },
  }
  site = await localSite(new Proxy({}, pages))
  service = await startService(`--allow-target=${site.host}`)
  const keys = await openKeys({ dataDir: service.dataDir })
  ;({ key: apiKey } = await keys.create('Captures'))
  await keys.close()
})
afterAll(async () => {
  await service.stop()
  await site.close()
})
beforeEach(() => {
  sent = []
  isReleased = false
})

const recordingFetch: typeof fetch = async (url, init) => {
  const response = await fetch(url, init)
  sent.push(`${init?.method ?? 'GET'} ${(url as string).replace(/[\da-f-]{36}/, 'ID')} ${response.status}`)
  return response
}

const start = (urls: string[], { endpoint = service.pro, signal = new AbortController().signal } = {}) =>
  startRemoteJob(urls, { filter: 'title' }, { endpoint, apiKey, fetch: recordingFetch, signal })

describe('a job of a running service', () => {
  it('returns the result of each page, and is deleted in the end', async () => {
    const urls = [`${site.url}/a`, 'no URL', `${site.url}/b`]
    const results: JobResult[] = []
    for await (const part of (await start(urls))!) results.push(...part)
    results.sort((one, other) => one.number - other.number)
    expect(results.map(({ number }) => number)).toEqual([0, 1, 2])
    expect(results[0]!.page().data).toEqual({ title: 'Title of /a' })
    expect(() => results[1]!.page()).toThrow(expect.objectContaining({ code: 'EINVALURL' }))
    expect(sent[0]).toBe(`POST ${service.pro}/jobs 202`)
    expect(sent.at(-1)).toBe(`DELETE ${service.pro}/jobs/ID 204`)
  })

  it('is cancelled when the run is stopped', async () => {
    const stop = new AbortController()
    const parts = (await start([`${site.url}/held-1`], { signal: stop.signal }))!
    const next = parts.next()
    stop.abort(new Error('Stopped.'))
    await expect(next).rejects.toThrow('Stopped.')
    expect(sent.at(-1)).toBe(`DELETE ${service.pro}/jobs/ID 204`)
  })

  it('is not there in a service without jobs', async () => {
    const other = await localSite({})
    expect(await start([`${site.url}/a`], { endpoint: other.url })).toBeUndefined()
    await other.close()
  })

  it('throws the error of the service', async () => {
    const signal = new AbortController().signal
    const refused = startRemoteJob([`${site.url}/a`], {}, { endpoint: service.pro, apiKey: 'pp_0_wrong', signal })
    await expect(refused).rejects.toMatchObject({ code: 'EAUTH' })
  })
})

it('captures the pages of the command in one job', async () => {
  const out = await temporaryDir()
  const stdin = [`${site.url}/c`, `${site.url}/d`, 'http://10.0.0.1/'].join('\n')
  const flags = ['--from=-', '--out', out, '--endpoint', service.pro, '--api-key', apiKey, '--no-images']
  const run = () => runCommand(['capture', ...flags], { stdin: Readable.from([Buffer.from(stdin)]) })
  const { code, stderr } = await run()
  expect(stderr).toContain('3 pages: 2 captured')
  expect(code).toBe(1)
  const lines = (await readFile(join(out, 'results.ndjson'), 'utf8')).trim().split('\n')
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(records).toHaveLength(3)
  expect(records).toContainEqual(expect.objectContaining({ url: `${site.url}/c`, title: 'Title of /c' }))
  expect(records).toContainEqual(expect.objectContaining({ status: 'failed', code: 'EFORBIDDENURL' }))
  const again = await run()
  expect(again.stderr).toContain('2 captured by an earlier run, 1 failed')
})
