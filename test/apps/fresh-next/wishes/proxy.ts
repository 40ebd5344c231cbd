import { NextResponse, type NextRequest } from 'next/server'

/** Next streams its pages with inline scripts, so these have a nonce. Styles need none. */
export function proxy(request: NextRequest) {
  const nonce = crypto.randomUUID()
  const policy = `default-src 'self'; script-src 'self' 'nonce-${nonce}'`
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

export const config = { matcher: '/((?!_next|page-preview|members|icon).*)' }
