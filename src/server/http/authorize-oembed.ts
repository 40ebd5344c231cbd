import { PageError } from '../../query/index.js'
import { authorize, type Authorization } from './authorize.js'
import type { OembedRequest } from './oembed/index.js'

/**
 * Authorizes an oEmbed request by its preview URL, as that URL itself would be.
 *
 * @throws  {PageError} `EAUTH`: as `authorize`, and 403 for the signature of a preview without a screenshot, because it does not
 *          cover the screenshot that oEmbed returns.
 */
export async function authorizeOembed(
  request: Request,
  { preview }: OembedRequest,
  { plan, ...context }: Omit<Parameters<typeof authorize>[1], 'parsed'>,
): Promise<Authorization> {
  const authorization = await authorize(request, { ...context, plan, parsed: preview })
  const isSigned = plan === 'pro' && authorization.isPublic
  if (!isSigned || preview.query.screenshot) return authorization
  throw new PageError(
    'EAUTH',
    'The signature of this preview does not cover a screenshot, which oEmbed returns; sign its URL with screenshot=true.',
    { status: 403, data: { signature: 'covers no screenshot' } },
  )
}
