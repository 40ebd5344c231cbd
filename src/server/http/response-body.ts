import { etagOf } from './etag.js'

/** The bytes of a response, and the headers that describe them. */
export interface ResponseBody {
  bytes: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

/** A body of UTF-8 text, with an etag of its content. */
export function textBody(text: string, type: string, headers: Record<string, string> = {}): ResponseBody {
  const bytes = new TextEncoder().encode(text)
  return {
    bytes,
    headers: { 'content-type': type, etag: etagOf(bytes), 'x-content-type-options': 'nosniff', ...headers },
  }
}

export const jsonBody = (value: unknown): ResponseBody =>
  textBody(JSON.stringify(value), 'application/json; charset=utf-8')
