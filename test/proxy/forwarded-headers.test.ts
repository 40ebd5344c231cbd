// Covers the headers that src/proxy/create-proxy.ts forwards.
import { expect, it } from 'vitest'
import { forwardedResponseHeaders } from '../../src/proxy/create-proxy.js'
import { corsHeaders } from '../../src/server/http/response-headers.js'

it('forwards every header that the service exposes to other origins', () => {
  const exposed = corsHeaders['access-control-expose-headers'].split(', ')
  const forwarded = forwardedResponseHeaders(new Headers(exposed.map((name) => [name, '1'])))
  expect([...forwarded.keys()]).toEqual(exposed.toSorted())
})
