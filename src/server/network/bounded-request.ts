import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'

/** Of a request of a page, all headers together. Browsers send more than Node's 16 kB: cookies are long. */
export const MAX_HEADER_BYTES = 65_536
/** Of a response, all headers together, as in Chromium: policies are long. */
export const MAX_RESPONSE_HEADER_BYTES = 262_144
/** No header in use has a longer name. */
export const MAX_HEADER_NAME_CHARS = 256

/**
 * A request whose headers Node does not read when one of them has a very long name. Header names become property names, which V8
 * has in one table.
 *
 * V8 hashes strings of more than 16,383 characters by their length alone. As keys of a table, each is compared with all others of
 * the same length.
 */
export class BoundedRequest extends IncomingMessage {
  // Node sets `upgrade` before fields of this class would be initialised.
  declare private isUpgrade: boolean | null

  /**
   * Whether Node stops parsing after this request. Otherwise it would parse all requests of a chunk, up to 64 kB of them, although
   * one of the first has closed the connection.
   *
   * @see  https://github.com/nodejs/node/blob/v20.19.0/lib/_http_server.js (`parserOnIncoming`)
   */
  get upgrade(): boolean | null {
    return this.socket.destroyed || this.isUpgrade
  }

  set upgrade(isUpgrade: boolean | null) {
    this.isUpgrade = isUpgrade
  }
}

Object.defineProperty(BoundedRequest.prototype, 'headers', {
  get(this: BoundedRequest): IncomingHttpHeaders {
    return hasLongHeaderName(this) ? {} : Reflect.get(IncomingMessage.prototype, 'headers', this)
  },
})

export function hasLongHeaderName({ rawHeaders }: IncomingMessage): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length > MAX_HEADER_NAME_CHARS) return true
  return false
}
