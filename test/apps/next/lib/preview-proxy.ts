import { createProxy } from 'page-preview/proxy'
import { target } from './target'

/** Forwards requests of browsers at `/page-preview` to the service, with its key. */
export const previewProxy = createProxy({
  endpoint: process.env.PAGE_PREVIEW_ENDPOINT ?? 'http://127.0.0.1:3001',
  apiKey: process.env.PAGE_PREVIEW_API_KEY,
  allow: { targets: [new URL(target).host] },
  media: true,
})

/** Calls the proxy without the network, for server components. */
export const fetchInProcess: typeof fetch = (input, init) =>
  previewProxy(new Request(new URL(input instanceof Request ? input.url : input, 'http://localhost'), init))
