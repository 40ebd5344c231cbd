import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { handleMalformedRequests, MAX_HEADER_BYTES, invalidHostResponse } from './handle-malformed-requests.js'
import { createService, type Service } from '../create-service.js'
import { makeDataDir } from '../store/index.js'
import type { Plan } from '../http/index.js'
import { createLog } from '../log.js'
import type { ServeOptions } from '../read-options.js'

export interface RunningServer {
  /** Address of the free host, without slash at the end. */
  free: string
  pro: string
  playground: string
  service: Service
  /** Stops accepting, finishes what runs (at most 30 s), and leaves nothing behind. */
  stop(): Promise<void>
}

const DRAIN_MS = 30_000

/**
 * Listens with a service of its own: the free and the pro host, and with `demo` a sample site.
 *
 * @throws  Error with a sentence when a port is taken or the data folder cannot be used.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const log = createLog(options.logLevel)
  const dataDir = await makeDataDir(options.dataDir)
  const demo = options.demo ? await import('../demo/index.js').then(({ startDemoSite }) => startDemoSite()) : undefined
  const service = createService({
    ...options,
    dataDir,
    log,
    warm: true,
    storeMaxBytes: options.storeMax,
    allowTargets: [...options.allowTarget, ...(demo ? [demo.host] : [])],
    examples: demo?.examples,
  })
  const servers: Server[] = []
  const stop = async () => {
    const closed = servers.map(async (server) => {
      server.close()
      server.closeIdleConnections()
      await once(server, 'close')
    })
    const deadline = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), DRAIN_MS)
    await Promise.all([service.close(), ...closed])
    clearTimeout(deadline)
    await demo?.close()
  }

  try {
    await service.ready()
    const listenOn = async (port: number, plan?: Plan) => {
      const publicUrl = plan === 'pro' ? options.proPublicUrl : options.publicUrl
      const server = await listen(service, { port, host: options.host, plan, publicUrl })
      servers.push(server)
      return addressOf(server, options.host)
    }
    const free = await listenOn(options.port, options.proHost ? undefined : 'free')
    const pro = options.proHost
      ? free.replace(/\/\/[^:/]+/, `//${options.proHost}`)
      : await listenOn(options.proPort, 'pro')
    const playground = `${options.publicUrl ?? free}/playground/`
    return { free: options.publicUrl ?? free, pro: options.proPublicUrl ?? pro, playground, service, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function listen(
  service: Service,
  { port, host, plan, publicUrl }: Pick<ServeOptions, 'port' | 'host' | 'publicUrl'> & { plan: Plan | undefined },
): Promise<Server> {
  const answer = getRequestListener(
    (request, { incoming }) =>
      service.fetch(request, { clientAddress: incoming.socket.remoteAddress ?? '', ...(plan && { plan }) }),
    { errorHandler: () => invalidHostResponse(base()) },
  )
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false }
  const base = () => publicUrl ?? addressOf(server, host)
  const server = createServer(limits, (request, response) => {
    const { method, headers, socket } = request
    const again = service.again({
      method,
      url: `http://${headers.host}${request.url}`,
      ifNoneMatch: headers['if-none-match'],
      acceptEncoding: headers['accept-encoding']?.toString(),
      forwardedFor: headers['x-forwarded-for']?.toString(),
      clientAddress: socket.remoteAddress ?? '',
      ...(plan && { plan }),
    })
    if (again) response.writeHead(again.status, again.headers).end(again.body, 'latin1')
    else void answer(request, response)
  })
  handleMalformedRequests(server, base)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    const flag = plan === 'pro' ? '--pro-port' : '--port'
    const reason = isTaken
      ? `is taken by another program; choose another with ${flag}`
      : `cannot be used (${String(error)})`
    throw new Error(`Port ${port} ${reason}.`, { cause: error })
  }
  return server
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
