import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that hosts an app or a site. */
export interface AppHost {
  /** Without trailing slash. */
  url: string
  close(): Promise<void>
}

/** Listens on a free port of the loopback interface. */
export async function listenAsHost(listener: RequestListener): Promise<AppHost> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
