import { hasErrorCode } from '../node-errors/index.js'
/**
 * @param flag  What sets the port.
 * @returns     One sentence for the operator: why nothing can listen on the port, and which flag chooses another one.
 */
export function listenError(cause: unknown, port: number, flag: string): Error {
  const isInUse = hasErrorCode(cause, 'EADDRINUSE')
  const reason = isInUse
    ? `is already in use by another program; choose another one with ${flag}`
    : `cannot be used (${String(cause)})`
  return new Error(`Port ${port} ${reason}.`, { cause })
}
