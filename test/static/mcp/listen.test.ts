import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMcpServers, listen } from '../../../src/static/mcp/index.js'
import { fakeSource, pageWith } from './fake-source.js'

type Running = Awaited<ReturnType<typeof listen>>

const TOKEN = 'a-long-random-token'
let open: Running
let guarded: Running
let pages = 0

beforeAll(async () => {
  const source = fakeSource({ page: async () => (pages++, pageWith({ title: 'A page' })) })
  const createServer = createMcpServers({ source, concurrency: 4, isLocal: true })
  const options = { port: 0, host: '127.0.0.1', allowHosts: [], token: undefined, onError: () => {} }
  open = await listen(createServer, options)
  guarded = await listen(createServer, { ...options, allowHosts: ['agents.example.com'], token: TOKEN })
})
afterAll(() => Promise.all([open.close(), guarded.close()]))

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'preview', arguments: { url: 'https://example.com' } },
}

/** Sends a call as a program or a browser would, with any headers, and resolves to the status. */
const send = (url: string, headers: Record<string, string> = {}, body: string = JSON.stringify(CALL)) =>
  new Promise<{ status: number }>((resolve, reject) => {
    const accept = 'application/json, text/event-stream'
    const options = { method: 'POST', headers: { accept, 'content-type': 'application/json', ...headers } }
    const sent = request(url, options, (response) => {
      response.resume()
      resolve({ status: response.statusCode! })
    })
    sent.on('error', reject)
    sent.write(body)
    if (headers['content-length'] === undefined) sent.end()
    else sent.on('response', () => sent.destroy())
  })

async function connect(url: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return client
}

it('serves the client of the SDK', async () => {
  const client = await connect(open.url)
  expect((await client.listTools()).tools).toHaveLength(3)
  const { structuredContent } = await client.callTool({ name: 'preview', arguments: { url: 'https://example.com' } })
  expect(structuredContent).toMatchObject({ untrustedContent: { title: 'A page' } })
  await client.close()
})

describe('a request', () => {
  it.each<[string, Record<string, string>, number]>([
    ['of a program', {}, 200],
    ['of a page on this machine', { origin: 'http://localhost:5173' }, 200],
    ['of a page of another site', { origin: 'https://evil.example' }, 403],
    ['of a page without an origin of its own', { origin: 'null' }, 403],
    ['of a page whose name leads to this machine', { host: 'evil.example:3010' }, 403],
    ['of a page whose name contains localhost', { host: 'localhost.evil.example' }, 403],
    ['with both', { host: 'evil.example', origin: 'https://evil.example' }, 403],
  ])('%s (%j) is answered with %s', async (_, headers, status) => {
    const before = pages
    expect((await send(open.url, headers)).status).toBe(status)
    expect(pages - before).toBe(status === 200 ? 1 : 0)
  })

  it.each<[string, Record<string, string>, number]>([
    ['no token', {}, 401],
    ['a wrong token', { authorization: 'Bearer a-long-random-tokem' }, 401],
    ['the token in another scheme', { authorization: `Basic ${TOKEN}` }, 401],
    ['the token', { authorization: `Bearer ${TOKEN}` }, 200],
    ['the token, under the allowed name', { authorization: `Bearer ${TOKEN}`, host: 'agents.example.com' }, 200],
    ['the token, under another name', { authorization: `Bearer ${TOKEN}`, host: 'other.example.com' }, 403],
  ])('with %s to a server that has one is answered as it should be', async (_, headers, status) => {
    expect((await send(guarded.url, headers)).status).toBe(status)
  })

  it('of more than 256 kB, of another type, or to another path is refused', async () => {
    // Refused by its length, before any of it has arrived.
    expect((await send(open.url, { 'content-length': '300000' })).status).toBe(413)
    expect((await send(open.url, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send(open.url, {}, '{"jsonrpc": ')).status).toBe(400)
    expect((await send(`${open.url}/other`)).status).toBe(404)
    expect((await send(open.url)).status).toBe(200)
  })
})

it('cannot listen on a port that is in use, and says so', async () => {
  const port = Number(new URL(open.url).port)
  const options = { port, host: '127.0.0.1', allowHosts: [], token: undefined, onError: () => {} }
  const createServer = createMcpServers({ source: fakeSource({}), concurrency: 1, isLocal: true })
  await expect(listen(createServer, options)).rejects.toThrow('EADDRINUSE')
})
