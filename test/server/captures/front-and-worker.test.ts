// Covers a front and a worker, as their commands start them, with a browser and a site of this machine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageResponse } from '../../../src/query/index.js'
import type { RunningServer, RunningWorker } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { startService, type StartedService } from '../../shared/start-service.js'
import { startFront, startWorker } from './start-roles.js'

const PAGE =
  '<!doctype html><html lang="en"><title>A page</title><meta name="description" content="Of two processes.">' +
  '<body style="background: teal"><h1>A page</h1>'

let site: LocalSite
let worker: RunningWorker
let front: RunningServer
let all: StartedService

beforeAll(async () => {
  site = await localSite({ '/': PAGE, '/moved': (_, response) => response.writeHead(301, { location: '/' }).end() })
  worker = await startWorker(`--allow-target=${site.host}`)
  front = await startFront(worker.worker, `--allow-target=${site.host}`)
  all = await startService(`--allow-target=${site.host}`)
  // A start of Chromium is no part of a capture's time.
  await Promise.all([front, all].map(({ free }) => request(free, { screenshot: 'true', url: `${site.url}/first` })))
})
afterAll(async () => {
  await front.stop()
  await Promise.all([worker.stop(), all.stop()])
  await site.close()
})

const request = (base: string, query: Record<string, string>) =>
  fetch(`${base}/?${new URLSearchParams({ url: `${site.url}/`, ...query })}`)

const withoutTime = (warning: string) => warning.replace(/after 2\S+Z/, 'later')

async function preview(base: string, query: Record<string, string>) {
  const response = await request(base, query)
  const body = (await response.json()) as PageResponse
  const { url: imageUrl, ...screenshot } = body.data.screenshot ?? { url: undefined }
  const data = { ...body.data, screenshot }
  return {
    status: response.status,
    cache: response.headers.get('x-cache-status'),
    mode: response.headers.get('x-fetch-mode'),
    body: { ...body, headers: { ...body.headers, date: '' }, warnings: body.warnings?.map(withoutTime), data },
    image: imageUrl && Buffer.from(await (await fetch(imageUrl)).arrayBuffer()).toString('base64'),
  }
}

describe('a preview through a front and a worker', () => {
  it.each([
    { path: '/', query: 'screenshot.type=png&palette' },
    { path: '/moved', query: '' },
    { path: '/missing', query: 'screenshot.type=png' },
  ])('is the same as that of one process: $path $query', async ({ path, query }) => {
    const parameters = { url: site.url + path, ...Object.fromEntries(new URLSearchParams(query)) }
    const own = await preview(front.free, parameters)
    const expected = await preview(all.free, parameters)
    expect(own).toEqual(expected)
    expect(own.status).toBe(200)
  })

  it('is captured once for 60 equal requests', async () => {
    const before = worker.service.captures()
    const query = { screenshot: 'true', 'viewport.width': '500' }
    const responses = await Promise.all(Array.from({ length: 60 }, () => request(front.free, query)))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200))
    expect(worker.service.captures() - before).toBe(1)
    expect(front.service.captures()).toBe(0)
  })
})
