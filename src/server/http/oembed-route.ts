import type { Work } from '../budget/index.js'
import { allowedHosts } from './allowed-hosts.js'
import type { AppOptions } from './app-options.js'
import { authorizeOembed } from './authorize-oembed.js'
import { oembedPhoto, parseOembedRequest } from './oembed/index.js'
import type { PageHandler } from './page-handler.js'
import type { RequestQuota } from './request-quota.js'
import { jsonBody } from './response-body.js'
import { headersFromList, perRequestHeaders, resultHeaders } from './response-headers.js'
import type { Router } from './router.js'
import { createCompressedSender } from './send-body.js'

/** `GET /oembed?url=…`: a preview as an oEmbed photo. */
export function oembedRoute(
  router: Router,
  { context: { clock }, keys }: Pick<AppOptions, 'context' | 'keys'>,
  { pages, quota }: { pages: PageHandler; quota: RequestQuota },
): void {
  const sendCompressed = createCompressedSender()

  router.get('/oembed', async (c) => {
    const { request } = c.var
    const { base, plan } = request
    const oembed = parseOembedRequest(new URL(c.req.url).searchParams, base)
    const authorization = await authorizeOembed(c.req.raw, oembed, { plan, keys, now: clock() })
    const consumeQuota = (work: Work) => quota.consume(request, work)
    const { key } = authorization
    const allowHosts = allowedHosts(c.req.raw.headers, oembed.parsed.query, key)
    const client = key?.id ?? request.client
    const { signal } = c.req.raw
    const result = await pages.resolve(oembed.parsed, { client, signal, consumeQuota, plan, allowHosts, key })
    c.set('cacheStatus', result.cacheStatus)
    const targetHeaders = Object.keys(oembed.parsed.query.headers ?? {})
    const headers = {
      ...resultHeaders(result, targetHeaders, { ...authorization, now: clock() }),
      ...headersFromList(perRequestHeaders(result, await quota.readMetadata(request), clock())),
    }
    return sendCompressed(c, jsonBody(oembedPhoto(oembed, result, { base, plan })), headers)
  })
}
