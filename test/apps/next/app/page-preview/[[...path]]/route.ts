import { previewProxy } from '../../../lib/preview-proxy'

export const GET = (request: Request) => previewProxy(request)
