import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** The response to a path (`/page?x=1` matches `/page`); a string is sent as HTML. */
export type Route = string | ((request: IncomingMessage, response: ServerResponse) => void)

export interface LocalSite {
  /** `http://127.0.0.1:PORT`, without trailing slash. */
  url: string
  /** `127.0.0.1:PORT`, in the form of `allowTargets`. */
  host: string
  /** `METHOD /path` of every request so far, in order; for `/robots.txt` only if the site has one. */
  requests: string[]
  /** The routes, to be changed while the site runs. */
  routes: Record<string, Route>
  close(): Promise<void>
}

/**
 * Starts a real HTTP server on loopback; it responds 404 where there is no route.
 *
 * @param port     Default: a free one.
 * @param address  Another address of this machine.
 */
export async function localSite(routes: Record<string, Route>, port = 0, address = '127.0.0.1'): Promise<LocalSite> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const route = routes[request.url!.split('?')[0]!]
    if (route !== undefined || request.url !== '/robots.txt') requests.push(`${request.method} ${request.url}`)
    if (typeof route === 'function') route(request, response)
    else if (route === undefined)
      response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Nothing here</title>')
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(route)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  const host = `${address}:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    requests,
    routes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

export const redirectTo =
  (location: string, statusCode = 302): Route =>
  (_, response) =>
    void response.writeHead(statusCode, { location }).end()
