// Covers what site owners request at /owners: refreshing and taking down their pages, and what others try there.
import { describe, expect, it } from 'vitest'
import { redirectTo, type Route } from '../../local-site.js'
import { startApp } from '../results/start-app.js'

const FILE = '/.well-known/page-preview.txt'
const HOUR_MS = 3_600_000

interface OwnerResponse {
  status: number
  code?: string
  data: Record<string, unknown> & { nonce: string; meta: string; file: { url: string; line: string } }
  retryAfter: string | null
}

async function start(routes: Record<string, Route> = { '/': '<title>Before</title>' }) {
  const app = await startApp({ routes })
  const post = async (action: string, parameters: Record<string, string> = {}): Promise<OwnerResponse> => {
    const query = new URLSearchParams({ url: `${app.site.url}/`, ...parameters })
    const response = await app.app.fetch(
      new Request(`http://previews.test/owners/${action}?${query}`, { method: 'POST' }),
    )
    const body = (await response.json()) as OwnerResponse
    return { ...body, status: response.status, retryAfter: response.headers.get('retry-after') }
  }
  /** Shows the nonce of an action in the page, and performs it. */
  const perform = async (action: string, title = 'After') => {
    const { data } = await post(action)
    app.site.routes['/'] = `<title>${title}</title>${data.meta}`
    return { ...(await post(action, { nonce: data.nonce })), nonce: data.nonce }
  }
  return { ...app, post, perform }
}

describe('a request of a site owner', () => {
  it('without a nonce responds with one, and where to show it, and requests nothing', async () => {
    const { site, post, time } = await start()
    const { status, data } = await post('refresh', { url: `${site.url}/#top` })
    expect(status).toBe(202)
    expect(data).toEqual({
      action: 'refresh',
      url: `${site.url}/`,
      nonce: expect.stringMatching(/^[\w-]{50,}$/),
      expiresAt: time.now + 24 * HOUR_MS,
      meta: `<meta name="page-preview" content="${data.nonce}">`,
      file: { url: site.url + FILE, line: data.nonce },
    })
    expect((await post('takedown')).data.meta).toMatch(/content="none [\w-]+">$/)
    expect(site.requests).toEqual([])
  })

  it('has a nonce that is valid although others were created at the same time, and the store has evicted what they share', async () => {
    const { site, post, store } = await start()
    const [first, second, third] = await Promise.all([post('refresh'), post('takedown'), post('refresh')])
    expect(new Set([first.data.nonce, second.data.nonce, third.data.nonce]).size).toBe(2)
    site.routes['/'] = `<title>After</title>${first.data.meta}`
    expect(await post('refresh', { nonce: first.data.nonce })).toMatchObject({ status: 200 })
    await store.purges.purge({ all: true })
    expect(await post('refresh', { nonce: first.data.nonce })).toMatchObject({ status: 200 })
  })

  it('refreshes a page that shows the nonce, with its image', async () => {
    const { readPage, perform, site, app, lines } = await start()
    const { data } = await readPage({ screenshot: 'true' })
    await readPage({}, '/other')
    expect(await perform('refresh')).toMatchObject({
      status: 200,
      data: { action: 'refresh', url: `${site.url}/`, proof: 'page', entries: 1, images: 1 },
    })
    expect((await app.fetch(new Request(data.screenshot!.url))).status).toBe(404)
    await expect.poll(async () => (await readPage()).cache).toBe('HIT')
    expect((await readPage()).data.title).toBe('After')
    expect((await readPage({}, '/other')).cache).toBe('HIT')
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'owner-request', action: 'refresh', outcome: 'done', targetHost: site.host }),
    )
  })

  it('refreshes a page whose site has the nonce in its file', async () => {
    const { readPage, post, site } = await start()
    await readPage()
    const { data } = await post('refresh')
    site.routes[FILE] = (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/plain' }).end(data.file.line)
    expect(await post('refresh', { nonce: data.nonce })).toMatchObject({ data: { proof: 'file' } })
  })

  it.each<[string, Record<string, Route>]>([
    ['it', {}],
    ['what redirects to it', { '/old': redirectTo('/') }],
  ])('takes a page down: nobody gets %s any more', async (_, more) => {
    const { readPage, perform, site } = await start({ '/': '<title>Before</title>', ...more })
    const path = Object.keys(more)[0] ?? '/'
    expect((await readPage({}, path)).data.title).toBe('Before')
    expect(await perform('takedown')).toMatchObject({ status: 200, data: { action: 'takedown', entries: 1 } })
    for (const parameters of [{}, { screenshot: 'true' }, { force: 'true' }, { embed: 'title' }] as Record<
      string,
      string
    >[])
      expect(await readPage(parameters, path)).toMatchObject({ status: 'fail', code: 'EREMOVED' })
    expect((await readPage({}, '/other')).status).toBe('success')
    if (path === '/') expect(site.requests.filter((request) => request === 'GET /')).toHaveLength(2)
  })

  it('shows a page again, at most an hour after it has no tag any more', async () => {
    const { readPage, perform, site, time } = await start()
    await perform('takedown')
    site.routes['/'] = '<title>Again</title>'
    time.now += HOUR_MS - 1_000
    const before = site.requests.length
    expect(await readPage()).toMatchObject({ code: 'EREMOVED' })
    expect(site.requests).toHaveLength(before)
    time.now += 1_000
    expect((await Promise.all([readPage(), readPage()])).map(({ data }) => data.title)).toEqual(['Again', 'Again'])
    expect(site.requests.slice(before).filter((request) => request.includes(FILE))).toHaveLength(1)
  })

  it.each<[string, Route]>([
    ['still shows the tag', 'tag'],
    ['fails', (_, response) => void response.writeHead(500).end()],
    ['refuses programs', (_, response) => void response.writeHead(403).end()],
    ['closes the connection', (request) => void request.socket.destroy()],
  ])('does not show a page again that %s', async (_, route) => {
    const { readPage, perform, site, time } = await start()
    await perform('takedown')
    if (route !== 'tag') site.routes['/'] = route
    for (let hour = 0; hour < 3; hour++) {
      time.now += HOUR_MS
      expect(await readPage()).toMatchObject({ code: 'EREMOVED' })
      expect(await readPage()).toMatchObject({ code: 'EREMOVED' })
    }
    expect(site.requests.filter((request) => request === 'GET /')).toHaveLength(4)
  })

  it('leaves a page without a preview if what was removed is forgotten', async () => {
    const { readPage, perform, store, time } = await start()
    await perform('takedown')
    await store.purges.purge({ all: true })
    time.now += HOUR_MS
    expect((await readPage()).data ?? {}).not.toHaveProperty('title', 'After')
  })
})

describe('somebody who does not own a page', () => {
  it.each<[string, Route]>([
    ['does not show it', '<title>Page</title>'],
    ['shows what a user has written', '<title>Page</title><p>{tag}</p>'],
    ['shows it as text', '<title>Page</title><pre>{nonce}</pre>'],
    ['redirects to a page that does', redirectTo('/evil')],
  ])('cannot change a page that %s', async (_, route) => {
    const { post, site, readPage, lines } = await start()
    await readPage()
    const { data } = await post('takedown')
    const shown = (text: string) => text.replace('{tag}', data.meta).replace('{nonce}', data.nonce)
    site.routes['/'] = typeof route === 'string' ? shown(route) : route
    site.routes['/evil'] = data.meta
    expect(await post('takedown', { nonce: data.nonce })).toMatchObject({
      status: 403,
      code: 'EAUTH',
      data: { nonce: 'is not shown' },
    })
    expect(await readPage()).toMatchObject({ cache: 'HIT', data: { title: 'Before' } })
    expect(lines).toContainEqual(expect.objectContaining({ event: 'owner-request', outcome: 'EAUTH' }))
  })

  it('changes only the address that echoes the nonce, and no other', async () => {
    const { post, site, readPage } = await start({
      '/': (request, response) => {
        const { searchParams } = new URL(request.url!, 'http://site.test')
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`${searchParams.get('q') ?? ''}<title>Page</title>`)
      },
    })
    await readPage()
    const echo = `${site.url}/?q=x`
    const { data } = await post('takedown', { url: echo })
    const url = `${site.url}/?${new URLSearchParams({ q: data.meta })}`
    expect(await post('takedown', { url, nonce: data.nonce })).toMatchObject({ status: 403 })
    expect(await post('takedown', { nonce: data.nonce })).toMatchObject({ status: 403 })
    expect((await readPage()).cache).toBe('HIT')
  })

  it.each<[string, string, { url?: string }]>([
    ['another action', 'refresh', {}],
    ['another page', 'takedown', { url: 'other' }],
    ['another day', 'takedown', {}],
  ])('cannot use the nonce of %s', async (name, action, parameters) => {
    const { post, site, time } = await start()
    const { data } = await post('takedown')
    site.routes['/'] = site.routes['/other'] = data.meta
    if (name === 'another day') time.now += 24 * HOUR_MS
    const url: Record<string, string> = parameters.url ? { url: `${site.url}/other` } : {}
    expect(await post(action, { ...url, nonce: data.nonce })).toMatchObject({ status: 403, code: 'EAUTH' })
    expect(site.requests).toEqual([])
  })

  it.each(['', 'none', 'noscreenshot', '1-', `zzzzzzzz-${'a'.repeat(43)}`, 'a'.repeat(10_000), '\0', 'é'])(
    'cannot invent a nonce: %j',
    async (nonce) => {
      const { post, site } = await start({ '/': `<meta name="page-preview" content="${nonce}">` })
      expect(await post('takedown', { nonce })).toMatchObject({ status: 403, code: 'EAUTH' })
      expect(site.requests).toEqual([])
    },
  )

  it.each([
    ['', 'EINVALURL'],
    ['/page', 'EINVALURL'],
    ['ftp://example.com/', 'EINVALURL'],
    ['https://example..com/', 'EINVALURL'],
    [`https://example.com/${'a'.repeat(9_000)}`, 'EINVALURL'],
  ])('is refused the address %s', async (url, code) => {
    expect(await (await start()).post('takedown', { url })).toMatchObject({ status: 400, code })
  })

  it('is refused a private address', async () => {
    const { post } = await start()
    const url = 'http://10.0.0.1/'
    const { data } = await post('takedown', { url })
    expect(await post('takedown', { url, nonce: data.nonce })).toMatchObject({ status: 403, code: 'EFORBIDDENURL' })
  })

  it('has its requests limited, and those to a host', async () => {
    const { post, site, time } = await start()
    const { data } = await post('refresh')
    const statuses: number[] = []
    for (let at = 0; at < 10_000; at++) statuses.push((await post('refresh', { nonce: data.nonce })).status)
    const count = (status: number) => statuses.filter((each) => each === status).length
    expect([count(403), count(429)]).toEqual([20, 9_980])
    expect(site.requests.filter((request) => request === 'GET /')).toHaveLength(20)
    expect(Number((await post('refresh')).retryAfter)).toBeGreaterThan(0)
    time.now += 600_000
    expect((await post('refresh')).status).toBe(202)
  })

  it('cannot request them with GET', async () => {
    const { app } = await start()
    const response = await app.fetch(new Request('http://previews.test/owners/takedown?url=https://example.com'))
    expect(response.status).toBe(404)
  })
})

it('the owner of a page is not served where the operator ignores opt-outs', async () => {
  const { app } = await startApp({ routes: {}, ignoreOptOut: true })
  const url = 'http://previews.test/owners/refresh?url=https://example.com'
  expect((await app.fetch(new Request(url, { method: 'POST' }))).status).toBe(405)
})
