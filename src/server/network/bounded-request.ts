import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'

/** No header that anybody uses has a longer name. */
const MAX_HEADER_NAME_CHARS = 256

/**
 * A request of which Node reads no headers when one has a very long name. They are names of properties, which V8 keeps in one
 * table, and it hashes strings of more than 16,383 characters by their length alone: each would be compared with all others.
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
