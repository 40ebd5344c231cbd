import { PageError } from '../../query/index.js'

/** What HTTP can carry: https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
const LATIN_1 = /^[ -~\xa0-\xff]*$/

/**
 * Lets only pass what can be sent to a page as it was given.
 *
 * @throws  {PageError} `EHEADERS`, naming the header.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    // The answer to it would have to be waited for before anything is asked.
    if (name === 'expect') throw refusal(name, 'may not be sent')
    if (!LATIN_1.test(value)) throw refusal(name, 'has characters that a header cannot carry; encode them')
  }
}

const refusal = (name: string, reason: string) =>
  new PageError('EHEADERS', `headers.${name} ${reason}.`, { data: { [`headers.${name}`]: reason } })
