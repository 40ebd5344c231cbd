import { createProxy } from 'page-preview/proxy'
import { target } from './target'

/** The service, with its key, for browsers at `/page-preview`. */
export const askService = createProxy({
  service: process.env.PAGE_PREVIEW_SERVICE ?? 'http://127.0.0.1:3001',
  apiKey: process.env.PAGE_PREVIEW_API_KEY,
  allow: { targets: [new URL(target).host] },
  media: true,
})

/** The same without a way through the network, for server components. */
export const askInProcess: typeof fetch = (input, init) =>
  askService(new Request(new URL(input instanceof Request ? input.url : input, 'http://localhost'), init))
