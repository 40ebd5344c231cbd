import { PageError } from '../../../query/index.js'

/** The characters that HTTP allows in a value: https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
const LATIN_1 = /^[ -~\xa0-\xff]*$/

/**
 * Checks that the headers can be sent to a page unchanged.
 *
 * @throws  {PageError} `EHEADERS`, naming the header.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    // undici does not support the interim response that `expect` requests.
    if (name === 'expect') throw headerError(name, 'may not be sent')
    if (!LATIN_1.test(value))
      throw headerError(name, 'contains characters that are not allowed in a header; encode them')
  }
}

const headerError = (name: string, reason: string) =>
  new PageError('EHEADERS', `headers.${name} ${reason}.`, { data: { [`headers.${name}`]: reason } })
