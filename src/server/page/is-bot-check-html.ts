import { isBotCheckDocument } from '../page-state/index.js'
import type { MetadataSources } from './document/index.js'
import type { FetchedPage } from './fetch/index.js'

/** Whether a page shows a bot check (challenge, captcha) instead of its content. */
export const isBotCheckHtml = (
  page: Pick<FetchedPage, 'statusCode' | 'headers'> & { html: string },
  { textChars, title, body, metas }: MetadataSources,
): boolean =>
  isBotCheckDocument({
    ...page,
    textChars,
    title: title ?? body.heading[0] ?? '',
    hasOwnMetadata: OWN_METADATA.some((name) => metas.has(name)),
  })

const OWN_METADATA = ['og:title', 'og:description', 'description']
