import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'

/** No header in use has a longer name. */
const MAX_HEADER_NAME_CHARS = 256

/**
 * A request whose headers Node does not read when one of them has a very long name. Header names become property names, which V8
 * has in one table, and it hashes strings of more than 16,383 characters by their length alone: each is compared with all others.
 */
export class BoundedRequest extends IncomingMessage {}

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
