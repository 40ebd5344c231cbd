import { requestUrl, type ParsedQuery } from '../../../query/index.js'
import type { Plan } from '../plan.js'

/** Parameters that are secret, or that oEmbed does not use. */
const OMITTED_PARAMETERS = {
  headers: undefined,
  embed: undefined,
  filter: undefined,
  keyId: undefined,
  expires: undefined,
  signature: undefined,
}

/**
 * The oEmbed URL of a preview, for the `<link>` of a page that everybody can read; on the pro host it carries the signature
 * of the query.
 *
 * @param base  URL of the service, without trailing slash.
 * @returns     `undefined` on the pro host without a signature: that preview needs a key, which must stay secret; nor with one
 *              that covers no screenshot.
 * @see         https://oembed.com/#section4
 */
export function oembedDiscoveryUrl(
  parsed: ParsedQuery,
  { base, plan }: { base: string; plan: Plan },
): string | undefined {
  const { signature, screenshot } = parsed.query
  if (plan === 'pro' && (signature === undefined || !screenshot)) return undefined
  // The signature covers all other parameters, so a signed query stays complete.
  const publicQuery = plan === 'pro' ? parsed.withoutApiKey() : parsed.with(OMITTED_PARAMETERS)
  const search = new URLSearchParams({ url: requestUrl(publicQuery, base) }).toString()
  return `${base}/oembed?${search}`
}
