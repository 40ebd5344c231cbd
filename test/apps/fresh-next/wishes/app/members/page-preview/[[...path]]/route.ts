import type { NextRequest } from 'next/server'
import { isMember } from '../../../../members'
import { memberPreviews } from '../../../../previews'

export async function GET(request: NextRequest): Promise<Response> {
  if (!isMember(request.cookies)) return new Response('Sign in first.', { status: 401 })
  return memberPreviews(request)
}
