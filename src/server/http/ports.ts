import { once } from 'node:events'
import { createServer } from 'node:net'
import { hasErrorCode } from '../node-errors.js'

export interface PortOption {
  /** Address to listen on. */
  host: string
  /** 0: any free port. */
  port: number
  /** The flag that sets `port`, for the error message when the port is in use. */
  portFlag: string
}

/**
 * Checks ports before anything else is started, so that nothing but a port in use is reported.
 *
 * @throws  Error with a sentence that names the first port that cannot be used, and its flag.
 */
export async function assertPortsFree(options: readonly PortOption[]): Promise<void> {
  const chosen = options.filter(({ port }) => port !== 0)
  for (const [index, option] of chosen.entries()) {
    const earlier = chosen.slice(0, index).find(({ port }) => port === option.port)
    if (earlier)
      throw new Error(
        `Port ${option.port} is set by both ${earlier.portFlag} and ${option.portFlag}; set ${option.portFlag} to another port.`,
      )
    await assertPortFree(option)
  }
}

async function assertPortFree({ host, port, portFlag }: PortOption): Promise<void> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error, port, portFlag)
  }
  server.close()
  await once(server, 'close')
}

/** One sentence for the operator: why the service cannot listen on the port, and which flag sets another port. */
export function listenError(cause: unknown, port: number, portFlag: string): Error {
  const isInUse = hasErrorCode(cause, 'EADDRINUSE')
  const reason = isInUse
    ? `is already in use by another program; set ${portFlag} to another port`
    : `cannot be used (${String(cause)})`
  return new Error(`Port ${port} ${reason}.`, { cause })
}
