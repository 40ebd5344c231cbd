import { createProxy } from 'page-preview/proxy'

const options = {
  endpoint: process.env.PAGE_PREVIEW_ENDPOINT ?? 'http://127.0.0.1:3001',
  allow: { targets: ['*.example'] },
  media: true,
}

export const previews = createProxy(options)
export const memberPreviews = createProxy({ ...options, publicUrl: '/members/page-preview' })
