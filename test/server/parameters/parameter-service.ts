import { openKeys, type RunningServer } from '../../../src/server/index.js'
import type { LocalSite } from '../../local-site.js'
import { startService } from '../../shared/start-service.js'
import { parameterSite } from './parameter-site.js'
import { PreviewResponse } from './preview-response.js'

export type Pair = [name: string, value: string]
/** How a request reaches the service: as a function call, or over a socket. */
export type Transport = (url: string, init?: RequestInit) => Promise<Response>

export interface ParameterService {
  site: LocalSite
  server: RunningServer
  /** A registered API key. */
  key: string
  /** Calls the service's function, without the listener. */
  inProcess: Transport
  /**
   * Requests a preview.
   *
   * @param transport  Default: `inProcess`.
   * @param base       URL of the host. Default: the free host.
   */
  request(
    parameters: Iterable<Pair> | Record<string, string>,
    transport?: Transport,
    base?: string,
  ): Promise<PreviewResponse>
  close(): Promise<void>
}

export const overSocket: Transport = (url, init) => fetch(url, init)

/** Starts a service as the command `serve` does, and the site whose pages show the effect of each parameter. */
export async function startParameterService(flags: readonly string[] = []): Promise<ParameterService> {
  const site = await parameterSite()
  const server = await startService(
    '--free-daily-limit=9999',
    '--free-history',
    `--allow-target=${site.host}`,
    ...flags,
  )
  const keys = await openKeys({ dataDir: server.dataDir })
  const { key } = await keys.create('Parameters')
  await keys.close()
  const inProcess: Transport = (url, init) =>
    server.service.fetch(new Request(url, init), { plan: url.startsWith(server.pro) ? 'pro' : 'free' })
  return {
    site,
    server,
    key,
    inProcess,
    async request(parameters, transport = inProcess, base = server.free) {
      const search = new URLSearchParams(Symbol.iterator in parameters ? [...parameters] : parameters)
      const path = (search.get('url') ?? '').slice(site.url.length)
      const response = await transport(`${base}/?${search}`)
      const visits = () => site.requests.filter((request) => request === `GET ${path}`)
      return new PreviewResponse(response, Buffer.from(await response.arrayBuffer()), transport, visits)
    },
    async close() {
      await server.stop()
      await site.close()
    },
  }
}
