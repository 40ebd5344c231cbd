import { PageError } from '../../query/index.js'
import { parsePurgeTarget, type PurgeableStore } from '../store/index.js'
import type { Router } from './router.js'

/** `DELETE /cache?url=…`, `?host=…` or `?all=true` on the admin port: purges results from all instances. */
export function purgeRoute(adminRouter: Router, { store }: { store: PurgeableStore }): void {
  adminRouter.delete('/cache', async (c) => {
    // A page in the operator's browser may reach the port, and browsers send an origin with every such request.
    if (c.req.header('origin') !== undefined)
      throw new PageError('EAUTH', 'Pages in a browser may not purge results.', { status: 403 })
    const { url, host, all } = c.req.query()
    const data = await store.purge(parsePurgeTarget({ url, host, all: isTrue(all) }))
    return Response.json({ status: 'success', data }, { headers: { 'cache-control': 'no-store' } })
  })
}

const isTrue = (value: string | undefined) => value === '' || value === 'true'
