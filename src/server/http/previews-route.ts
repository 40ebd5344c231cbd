import { Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import { NDJSON_TYPE, readQueryList, resultLines } from '../../query/help/index.js'
import { negotiateEncoding } from './content-coding.js'
import type { AppParts } from './app-parts.js'
import type { Router } from './request-scopes.js'
import { corsHeaders, notCached } from './response-headers.js'

/**
 * `POST /previews`: the results of several queries in one response, a line of JSON each, in the order in which they are ready. Each
 * query is a request of its own to `GET /`: authorised, limited, counted and logged as if it came alone.
 */
export function previewsRoute(router: Router, { fetch }: AppParts): void {
  router.post('/previews', async (c) => {
    const requests = await readQueryList(c.req.raw, new URL('/', c.req.url).href)
    const left = new AbortController()
    const send = async (request: Request) =>
      fetch(new Request(request, { signal: AbortSignal.any([request.signal, left.signal]) }), c.env)
    const lines = Readable.from(resultLines(requests, send, c.var.request.base), { objectMode: false })
    lines.once('close', () => left.abort())
    const isCompressed = negotiateEncoding(c.req.header('accept-encoding')) !== undefined
    // Each line is sent at once. One gzip for all of them takes fewer bytes than a Brotli for each.
    const body = isCompressed ? lines.compose(createGzip({ flush: constants.Z_SYNC_FLUSH })) : lines
    return new Response(Readable.toWeb(body as Readable) as ReadableStream, {
      headers: {
        ...corsHeaders,
        ...notCached,
        'content-type': NDJSON_TYPE,
        // nginx would hold back the first lines until the last one is ready.
        'x-accel-buffering': 'no',
        ...(isCompressed && { 'content-encoding': 'gzip' }),
      },
    })
  })
}
