import { canonicalName } from '../parsed-query.js'
import { PageError } from '../index.js'
import { MAX_VALUE_CHARS } from '../parameter-values.js'

/** `pp_<id>_<secret>`, as `keys create` prints it. */
const API_KEY = /pp_[\da-f]{12}_[\w-]{43}/i
const API_KEY_CHARS = 59
const PERCENT_ENCODED = /%[2-7][\da-f]/gi
/** As basic authentication has it: long enough for a key, without the padding. */
const BASE64 = /[a-z\d+/]{79,}/gi
const REASON =
  'contains an API key of the service, which the page must not get; send it to the service as the header x-api-key, or as headers.apiKey'

/**
 * Refuses an API key of the service in a parameter other than `headers.apiKey`: they are sent to the page, or are part of a URL
 * or a cache key.
 *
 * @throws  {PageError} `EHEADERS` for a header, `EINVALQUERY` for any other parameter, naming it without its value.
 */
export function refuseApiKeys(search: URLSearchParams): void {
  for (const [writtenName, text] of search) {
    // Longer values are refused as invalid.
    if (text.length < API_KEY_CHARS || text.length > MAX_VALUE_CHARS || !containsApiKey(text)) continue
    const name = canonicalName(writtenName)
    if (!name || name === 'headers.apiKey') continue
    const code = name.startsWith('headers.') ? 'EHEADERS' : 'EINVALQUERY'
    throw new PageError(code, `${name} ${REASON}.`, { data: { [name]: REASON } })
  }
}

/** Also percent-encoded and in base64. */
const containsApiKey = (text: string) =>
  [text, text.replace(PERCENT_ENCODED, decodeURIComponent), text.replace(BASE64, decodeBase64)].some((each) =>
    API_KEY.test(each),
  )

/** Of four characters one alone encodes no byte. */
const decodeBase64 = (text: string) => atob(text.length % 4 === 1 ? text.slice(0, -1) : text)
