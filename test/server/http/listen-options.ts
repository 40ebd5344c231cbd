import type { ListenOptions } from '../../../src/server/http/listen.js'

/** Of a listener on any free port, for one client. */
export const LISTEN_OPTIONS: ListenOptions = {
  host: '127.0.0.1',
  port: 0,
  portFlag: '--port',
  plan: undefined,
  publicUrl: undefined,
  maxConnections: 100,
  maxConnectionsPerClient: 100,
}
