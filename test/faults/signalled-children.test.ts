// Covers signals that terminals and supervisors send to each process of the service, and not to the main one alone.
import { kill } from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { nodeChildrenOf } from '../security/child-processes.js'
import { startInstance, type Instance } from './start-instance.js'

let site: LocalSite
let instance: Instance
beforeAll(async () => {
  site = await localSite({ '/': '<!doctype html><title>A page</title><h1>A page</h1>' })
  instance = await startInstance({ flags: [`--allow-target=${site.host}`] })
})
afterAll(async () => {
  await instance.stop()
  await site.close()
})

it.each(['SIGTERM', 'SIGINT'] as const)(
  'processes of images do not end by %s, but with the service',
  async (signal) => {
    const capture = () => instance.get({ url: `${site.url}/`, screenshot: 'true', force: 'true' })
    expect((await capture()).status).toBe(200)
    const before = nodeChildrenOf(instance.pid).map(({ pid }) => pid)
    expect(before).not.toEqual([])
    for (const pid of before) kill(pid, signal)
    expect((await capture()).status).toBe(200)
    expect(nodeChildrenOf(instance.pid).map(({ pid }) => pid)).toEqual(before)
  },
)
