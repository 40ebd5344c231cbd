import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseWebhook, sendReport } from '../../../src/server/batches/webhook.js'
import { createDispatcher, createGuard } from '../../../src/server/network/index.js'
import { localSite, redirectTo, type LocalSite } from '../../local-site.js'

const SECRET = `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`

describe('a report to a webhook', () => {
  let site: LocalSite
  beforeAll(async () => {
    site = await localSite({
      '/moved': redirectTo('/ok'),
      '/gone': (_, response) => void response.writeHead(410).end(),
      '/broken': (_, response) => void response.writeHead(500).end(),
      '/reset': (request) => void request.socket.destroy(),
      '/ok': '',
    })
  })
  afterAll(() => site.close())

  async function send(path: string, attempts = 1) {
    const guard = createGuard({ allowTargets: [site.host] })
    const dispatcher = createDispatcher(guard)
    const { signal } = new AbortController()
    const url = path.startsWith('/') ? site.url + path : path
    try {
      const report = { id: 'a', body: '{}', attempts }
      return await sendReport(parseWebhook({ url, secret: SECRET }), report, {
        guard,
        dispatcher,
        clock: Date.now,
        signal,
      })
    } finally {
      await dispatcher.destroy()
    }
  }

  it('is delivered with any 2xx', async () => {
    expect(await send('/ok')).toEqual({ status: 'delivered' })
  })

  it('is sent again after growing pauses, and fails in the end', async () => {
    const pauses: unknown[] = []
    for (let attempts = 1; attempts <= 7; attempts++) pauses.push(await send('/broken', attempts))
    const later = (afterMs: number) => ({ status: 'later', afterMs })
    expect(pauses).toEqual([
      ...[10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000].map(later),
      { status: 'failed' },
    ])
    expect(await send('/reset')).toEqual(later(10_000))
  })

  it('follows no redirect', async () => {
    const before = site.requests.length
    expect(await send('/moved')).toEqual({ status: 'later', afterMs: 10_000 })
    expect(site.requests.slice(before)).toEqual(['POST /moved'])
  })

  it('fails at once if the receiver is gone, or its address is forbidden', async () => {
    expect(await send('/gone')).toEqual({ status: 'failed' })
    expect(await send('http://10.0.0.1/')).toEqual({ status: 'failed' })
  })
})
