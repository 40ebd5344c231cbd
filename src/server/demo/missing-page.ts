import { NAME } from './brand.js'
import type { SitePage } from './site-page.js'

export const missingPage: SitePage = {
  path: '/404',
  title: `Nothing calls from here — ${NAME}`,
  description: 'There is no page at this URL.',
  type: 'website',
  lang: 'en',
  socialImage: { name: 'clock', alt: 'The marsh at midnight under a small high moon' },
  jsonLd: (origin) => ({ '@type': 'WebPage', name: 'Not found', url: `${origin}/404` }),
  body: () => `
<section class="now"><p class="kicker">404</p><h1>Nothing calls from here.</h1><p class="lead">We listened for a while. There is no page at this URL.</p><p class="actions"><a class="button" href="/">Back to the marsh</a></p></section>`,
}
