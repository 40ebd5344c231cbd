import { errorHelp } from '../../../query/help/index.js'
import { errorCodes, type ErrorCode } from '../../../query/index.js'
import type { Schema } from './schema.js'

/** The codes that a service sends; those with status 0 come from clients. */
export const serviceErrorCodes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => errorCodes[code] > 0)

/** The error responses by HTTP status. */
export function errorResponseSchemas(): Record<string, Schema> {
  const statuses = new Set([...serviceErrorCodes.map((code) => errorCodes[code]), 403])
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      errorResponseSchema(...serviceErrorCodes.filter((code) => isSentAs(code, status))),
    ]),
  )
}

/** The response with one of these codes. */
export const errorResponseSchema = (...codes: ErrorCode[]): Schema => ({
  description: codes.map((code) => `${code}: ${errorHelp[code]}`).join(' '),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

/** `EAUTH` has two statuses: 401 without a key, 403 with a wrong one. */
const isSentAs = (code: ErrorCode, status: number) =>
  errorCodes[code] === status || (code === 'EAUTH' && status === 403)
