import type { PageHandler } from './page-handler.js'
import type { RequestQuota } from './request-quota.js'
import type { Router } from './router.js'

/** `GET /?url=…`: a preview; without `url`, browsers are redirected to the playground. */
export function pageRoute(router: Router, pages: PageHandler, quota: RequestQuota): void {
  router.get('/', async (c) => {
    if (!new URL(c.req.url).searchParams.has('url') && c.req.header('accept')?.includes('text/html'))
      return c.redirect('/playground/')
    const { request } = c.var
    const { response, cacheStatus } = await pages.handle(c.req.raw, {
      plan: request.plan,
      base: request.base,
      client: request.client,
      consumeQuota: (work) => quota.consume(request, work),
      readMetadata: () => quota.readMetadata(request),
    })
    c.set('cacheStatus', cacheStatus)
    return response
  })
}
