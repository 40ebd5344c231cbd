import { createProxy } from 'page-preview/proxy'
import { target } from './target'

/** Forwards requests of browsers at `/page-preview` to the service, with its key. */
export const previewProxy = createProxy({
  endpoint: process.env.PAGE_PREVIEW_ENDPOINT ?? 'http://127.0.0.1:3001',
  apiKey: process.env.PAGE_PREVIEW_API_KEY,
  allow: { targets: [new URL(target).host] },
  media: true,
})
