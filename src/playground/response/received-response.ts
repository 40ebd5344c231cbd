import type { Exchange } from '../state/create-fetch-recorder.js'
import { readBody, type ResponseBody } from './read-body.js'
import { readHeaders, type ResponseInfo } from './read-headers.js'

/** A response with its parsed headers and body. */
export interface ReceivedResponse {
  exchange: Extract<Exchange, { kind: 'response' }>
  info: ResponseInfo
  body: ResponseBody
}

export function receivedResponse(exchange: ReceivedResponse['exchange']): ReceivedResponse {
  const { headers, startedAt, durationMs, text } = exchange
  return { exchange, info: readHeaders(headers, startedAt + durationMs), body: readBody(text) }
}
