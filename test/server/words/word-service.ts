import { openKeys, type RunningServer } from '../../../src/server/index.js'
import type { LocalSite } from '../../local-site.js'
import { startService } from '../../shared/start-service.js'
import { Told } from './told.js'
import { wordSite } from './word-site.js'

export type Pair = [name: string, value: string]
/** The way to the service: by its function, or over a socket. */
export type Way = (url: string, init?: RequestInit) => Promise<Response>

export interface WordService {
  site: LocalSite
  serving: RunningServer
  /** A registered key. */
  key: string
  /** Without a listener. */
  directly: Way
  /** Asks for a preview; `base` is the free host, where nothing else is said. */
  ask(words: Iterable<Pair> | Record<string, string>, by?: Way, base?: string): Promise<Told>
  close(): Promise<void>
}

export const overASocket: Way = (url, init) => fetch(url, init)

/** A service as `serve` has it, and the site that shows what words do. */
export async function startWordService(flags: readonly string[] = []): Promise<WordService> {
  const site = await wordSite()
  const serving = await startService('--free-daily-limit=9999', `--allow-target=${site.host}`, ...flags)
  const keys = await openKeys({ dataDir: serving.dataDir })
  const { key } = await keys.create('Words')
  await keys.close()
  const directly: Way = (url, init) =>
    serving.service.fetch(new Request(url, init), { plan: url.startsWith(serving.pro) ? 'pro' : 'free' })
  return {
    site,
    serving,
    key,
    directly,
    async ask(words, by = directly, base = serving.free) {
      const asked = new URLSearchParams(Symbol.iterator in words ? [...words] : words)
      const path = (asked.get('url') ?? '').slice(site.url.length)
      const response = await by(`${base}/?${asked}`)
      const visits = () => site.requests.filter((request) => request === `GET ${path}`)
      return new Told(response, Buffer.from(await response.arrayBuffer()), by, visits)
    },
    async close() {
      await serving.stop()
      await site.close()
    },
  }
}
