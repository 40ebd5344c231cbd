import { createProxy } from 'page-preview/proxy'
import { target } from './target'

/** The service, with its key: for browsers at `/page-preview`, and for server components in process. */
export const askService = createProxy({
  service: process.env.PAGE_PREVIEW_SERVICE ?? 'http://127.0.0.1:3001',
  apiKey: process.env.PAGE_PREVIEW_API_KEY,
  allow: { targets: [new URL(target).host] },
  media: true,
})
