import { parseQuery, requestUrl, type Hosts, type ParsedQuery } from '../../query/index.js'
import { serveOptions } from '../../server/commands/index.js'
import type { Converter } from './convert-images.js'
import type { PreviewSource, SourceQuery } from './preview-source.js'
import { readImage, readPageResponse } from './read-response.js'
import {
  createLocalTransport,
  createRemoteTransport,
  fetchWithRetries,
  type LocalTransportOptions,
  type Transport,
} from './transport.js'

export interface PreviewSourceOptions extends LocalTransportOptions {
  /** URL of a running service. Default: a service in this process, which starts with the first request. */
  hosts?: Hosts | undefined
  /** Key of that service, for its pro host: of two hosts, that one is used then. */
  apiKey?: string | undefined
  /** Replaces requests to the running service. Default: the global one. */
  fetch?: typeof fetch | undefined
}

/** Pages that are captured at the same time: as many as the service captures. */
export const DEFAULT_CONCURRENCY = serveOptions.concurrency.default

/** Where the service in this process is reached; never resolved. */
const LOCAL_URL = 'http://page-preview.invalid'
/** No image may expire between the result that names it and its own request. */
const TTL = '31d'

/** Opens a source of results and images. Nothing starts before the first request. */
export function openPreviewSource({ hosts, ...options }: PreviewSourceOptions = {}): PreviewSource {
  const transport: Transport = hosts ? createRemoteTransport(options) : createLocalTransport(options)
  const plan = hosts && options.apiKey ? 'pro' : 'free'
  const request = (parsed: ParsedQuery, signal: AbortSignal) =>
    fetchWithRetries(requestUrl(parsed, hosts ?? LOCAL_URL, plan), transport.send, signal)
  let converter: Promise<Converter> | undefined
  const image: PreviewSource['image'] = async (query, field, { width, type }, signal) => {
    const variant = { ...(width && { width }), ...(type && { type }) } as NonNullable<ParsedQuery['query']['variant']>
    const parsed = withoutDelivery(query).with({ force: undefined, embed: `${field}.url`, variant })
    return readImage(await request(parsed, signal))
  }
  return {
    image,
    async page(query, signal) {
      const parsed = withoutDelivery(query)
      return readPageResponse(await request(parsed, signal), parsed.warnings)
    },
    async variants(query, field, variants, signal) {
      const whole = await image(query, field, {}, signal)
      // Loaded when it is needed, as the service in this process is. After a failure the next call tries again.
      converter ??= import('./convert-images.js')
        .then(({ createConverter }) => createConverter(options))
        .catch((error: unknown) => {
          converter = undefined
          throw error
        })
      return (await converter).convert(whole, variants, signal)
    },
    async close() {
      const opened = await converter?.catch(() => undefined)
      await Promise.all([transport.close(), opened?.close()])
    },
  }
}

/** The key of a running service is a header, so that it is in no URL. */
const withoutDelivery = (query: SourceQuery): ParsedQuery =>
  parseQuery(query)
    .withoutApiKey()
    .with({ embed: undefined, filter: undefined, variant: undefined, ttl: TTL, staleTtl: undefined })
