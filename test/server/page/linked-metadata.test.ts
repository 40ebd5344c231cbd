// Covers the metadata documents that a page links to: its web app manifest and its oEmbed document.
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../local-site.js'
import { otherSite, pageSite, send } from './page-site.js'

const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
const image: Route = send(png, { 'content-type': 'image/png' })
const json = (data: unknown): Route => send(JSON.stringify(data), { 'content-type': 'application/json' })

describe('a web app manifest', () => {
  const linked = '<link rel="manifest" href="/app/manifest.json">'
  const manifest = json({
    icons: [
      { src: 'small.png', sizes: '48x48' },
      { src: 'large.png', sizes: '512x512', purpose: 'any maskable' },
      { src: 'mask.png', sizes: '1024x1024', purpose: 'maskable' },
      { src: 'mono.png', sizes: '1024x1024', purpose: 'monochrome' },
      { sizes: '2048x2048' },
      'nonsense',
    ],
  })
  const icons = { '/app/manifest.json': manifest, '/app/large.png': image, '/app/small.png': image, '/s.png': image }

  it('provides the logo when the icons of the page are small', async () => {
    const site = await pageSite({ '/': `${linked}<link rel="icon" sizes="32x32" href="/s.png">`, ...icons })
    expect((await site.read({ ping: true })).data.logo?.url).toBe(`${site.url}/app/large.png`)
  })

  it('provides the next largest icon when the largest is unreachable, before the icons of the page', async () => {
    const page = `${linked}<link rel="icon" sizes="32x32" href="/s.png">`
    const site = await pageSite({ '/': page, '/app/manifest.json': manifest, '/app/small.png': image, '/s.png': image })
    expect((await site.read({ ping: true })).data.logo?.url).toBe(`${site.url}/app/small.png`)
    delete site.routes['/app/small.png']
    expect((await site.read({ ping: true })).data.logo?.url).toBe(`${site.url}/s.png`)
  })

  it('is not fetched when the page has a large icon, or when the logo is not requested or not pinged', async () => {
    const page = `${linked}<link rel="apple-touch-icon" href="/s.png">`
    const withLargeIcon = await pageSite({ '/': page, ...icons })
    expect((await withLargeIcon.read({ ping: true })).data.logo?.url).toBe(`${withLargeIcon.url}/s.png`)
    const site = await pageSite({ '/': linked, ...icons })
    await site.read({ ping: { logo: false } })
    await site.read({ ping: true, meta: { title: true } })
    await site.read({ ping: false })
    expect([...withLargeIcon.requests, ...site.requests]).not.toContain('GET /app/manifest.json')
  })

  it('is fetched a second time if it fails in passing', async () => {
    const site = await pageSite({ '/': linked, ...icons })
    site.routes['/app/manifest.json'] = (_, response) => {
      response.writeHead(429, { 'retry-after': '1' }).end()
      site.routes['/app/manifest.json'] = manifest
    }
    const { data, isUnverified } = await site.read({ ping: true, meta: { logo: true } })
    expect([data.logo?.url, isUnverified]).toEqual([`${site.url}/app/large.png`, false])
  })

  it.each([
    [429, true],
    [503, true],
    [404, false],
    [403, false],
  ])('may be there another time after status %d: %s', async (status, isUnverified) => {
    const site = await pageSite({ '/': linked, '/app/manifest.json': send('', {}, status), '/favicon.ico': image })
    expect(await site.read({ ping: true, meta: { logo: true } })).toMatchObject({ isUnverified })
  })

  it.each<[what: string, route: Route]>([
    ['is not JSON', send('<title>Not found</title>')],
    ['is not a manifest', json(['icons'])],
    ['has no list of icons', json({ icons: { src: '/l.png' } })],
    ['is larger than 256 kB', json({ icons: [{ src: '/l.png', sizes: '512x512' }], more: 'x'.repeat(256_000) })],
    ['is interrupted', (request) => void request.socket.destroy()],
  ])('that %s does not affect the other candidates', async (_, route) => {
    const site = await pageSite({ '/': linked, '/app/manifest.json': route, '/l.png': image, '/favicon.ico': image })
    expect((await site.read({ ping: true })).data.logo?.url).toBe(`${site.url}/favicon.ico`)
  })

  it('is never read from a private address, nor are its icons', async () => {
    const canary = await otherSite({ '/manifest.json': manifest, '/i.png': image })
    const remoteManifest = await pageSite({ '/': `<link rel="manifest" href="${canary.url}/manifest.json">` })
    expect((await remoteManifest.read({ ping: true })).data.logo).toBeNull()
    const remoteIcon = await pageSite({
      '/': linked,
      '/app/manifest.json': json({ icons: [{ src: `${canary.url}/i.png` }] }),
    })
    expect((await remoteIcon.read({ ping: true })).data.logo).toBeNull()
    expect(canary.requests).toEqual([])
  })
})

describe('an oEmbed document', () => {
  const linked = '<link rel="alternate" type="application/json+oembed" href="/oembed?format=json">'
  const document = json({
    title: 'Embedded',
    author_name: 'Ann Lee',
    provider_name: 'The House',
    thumbnail_url: '/t.png',
    width: 640,
  })
  const routes = { '/oembed': document, '/t.png': image }

  it('provides title, author, publisher and image that the page does not state', async () => {
    const site = await pageSite({ '/': linked, ...routes })
    expect((await site.read({ ping: true })).data).toMatchObject({
      title: 'Embedded',
      author: 'Ann Lee',
      publisher: 'The House',
      image: { url: `${site.url}/t.png`, width: 64 },
    })
  })

  it('does not override what the page states itself', async () => {
    const html = `<title>Own title</title><meta property="og:site_name" content="The Site">${linked}`
    const site = await pageSite({ '/': html, ...routes })
    expect((await site.read({ ping: true })).data).toMatchObject({
      title: 'Own title',
      publisher: 'The Site',
      author: 'Ann Lee',
    })
  })

  const XML = `<?xml version="1.0" encoding="utf-8"?><oembed><version>1.0</version><type>rich</type><author-name>Ann</author-name>
    <title>Embedded</title><author_name>Ann Lee</author_name><provider_name><![CDATA[The House]]></provider_name>
    <thumbnail_url>/t.png?a=1&amp;b=2</thumbnail_url></oembed>`
  const found = { author: 'Ann Lee', publisher: 'The House' }

  it.each<[what: string, head: string, headers?: Record<string, string>]>([
    ['JSON', '<link rel="alternate" type="application/json+oembed" href="/oembed">'],
    ['text/json', '<link rel="alternate" type="text/json+oembed" href="/oembed">'],
    ['a parameter', '<link rel="alternate" type="application/json+oembed; charset=utf-8" href="/oembed">'],
    ['capitals', '<LINK REL="Alternate" TYPE="Application/JSON+oEmbed" HREF="/oembed">'],
    ['another relation', '<link rel="alternative" type="application/json+oembed" href="/oembed">'],
    ['escapes', '<link rel="alternate" type="application/json+oembed" href="/oembed?a=1&amp;format=json">'],
    ['a relative URL', '<base href="/a/"><link rel="alternate" type="application/json+oembed" href="../oembed">'],
    ['XML', '<link rel="alternate" type="text/xml+oembed" href="/oembed.xml">'],
    ['XML of an application', '<link rel="alternate" type="application/xml+oembed" href="/oembed.xml">'],
    ['XML in place of JSON', '<link rel="alternate" type="application/json+oembed" href="/oembed.xml">'],
    [
      'JSON that is missing, and XML',
      '<link rel="alternate" type="text/xml+oembed" href="/oembed.xml"><link rel="alternate" type="application/json+oembed" href="/none">',
    ],
    [
      'JSON that is an error, and XML',
      '<link rel="alternate" type="application/json+oembed" href="/page"><link rel="alternate" type="text/xml+oembed" href="/oembed.xml">',
    ],
    ['a header', '', { link: '</oembed>; rel="alternate"; type="application/json+oembed"' }],
    [
      'a header with several links',
      '',
      {
        link: '</a.css>; rel=preload; as=style, </oembed?x=1>; rel="alternate"; type="text/json+oembed"; title="A, B"',
      },
    ],
    ['a header without quotes', '', { link: '<oembed.xml>;rel=alternate;type=text/xml+oembed' }],
    ['JSON with a comma too many', '<link rel="alternate" type="application/json+oembed" href="/sloppy">'],
  ])('is found and read with %s', async (_, head, headers = {}) => {
    const site = await pageSite({
      '/': send(`<title>Sound</title>${head}`, { 'content-type': 'text/html', ...headers }),
      ...routes,
      '/oembed.xml': send(XML, { 'content-type': 'text/html' }),
      '/page': send('<!doctype html><title>Not found</title><p>Nothing here.</p>'),
      '/sloppy': send('{"author_name":"Ann Lee","provider_name":"The House","thumbnail_url":"/t.png",}'),
    })
    const { data } = await site.read({ ping: true })
    expect(data).toMatchObject({ title: 'Sound', ...found })
    expect(data.image?.url.split('?')[0]).toBe(`${site.url}/t.png`)
  })

  it('may be XML with hyphens in its names', async () => {
    const xml =
      '<?xml version="1.0"?><oembed><title>Sluice</title><author-name>Ann Lee</author-name><provider-name>The House</provider-name></oembed>'
    const link = '<title>Sound</title><link rel="alternate" type="text/xml+oembed" href="/oembed.xml">'
    const site = await pageSite({ '/': link, '/oembed.xml': send(xml, { 'content-type': 'text/xml' }) })
    expect((await site.read({ ping: true })).data).toMatchObject(found)
  })

  it('resolves its URLs against its own, and has the photo itself as image', async () => {
    const photo = json({ type: 'photo', url: 't.png', author_name: 'Ann Lee' })
    const link = '<link rel="alternate" type="application/json+oembed" href="/embed/photo">'
    const site = await pageSite({ '/': link, '/embed/photo': photo, '/embed/t.png': image })
    expect((await site.read({ ping: true })).data.image?.url).toBe(`${site.url}/embed/t.png`)
  })

  it.each([
    ['an ordinary feed', '<link rel="alternate" type="application/json" href="/oembed">'],
    ['an RSS feed', '<link rel="alternate" type="application/rss+xml" href="/oembed">'],
    [
      'a type that contains the one of oEmbed',
      '<link rel="alternate" type="x/application/json+oembed" href="/oembed">',
    ],
  ])('is not %s', async (_, head) => {
    const site = await pageSite({ '/': `<title>Sound</title>${head}`, ...routes })
    expect((await site.read({ ping: true })).data.author).toBeNull()
    expect(site.requests.filter((request) => request.includes('oembed'))).toEqual([])
  })

  it('is not fetched when no field is missing, or when nothing is pinged', async () => {
    const completeHtml = `<title>Own title</title><meta name="author" content="Bo">
      <meta property="og:site_name" content="The Site"><meta property="og:image" content="/t.png">${linked}`
    const site = await pageSite({ '/': completeHtml, ...routes })
    await site.read({ ping: true })
    const incomplete = await pageSite({ '/': linked, ...routes })
    expect((await incomplete.read({ ping: false })).data).toMatchObject({ title: null, image: null })
    await incomplete.read({ ping: true, meta: { description: true } })
    expect([...site.requests, ...incomplete.requests].filter((request) => request.includes('oembed'))).toEqual([])
  })

  it('counts towards the request limit of a page', async () => {
    const tenOf = (name: string) =>
      Array.from({ length: 10 }, (_, at) => `<meta property="${name}" content="/${name}/${at}">`).join('')
    const site = await pageSite({
      '/': `${linked}${tenOf('og:image')}${tenOf('og:audio')}${tenOf('og:logo')}`,
      ...routes,
    })
    expect((await site.read({ ping: true })).warnings).toHaveLength(1)
    const requestedPaths = new Set(site.requests.map((request) => request.split(' ')[1]))
    expect(requestedPaths.size).toBeLessThanOrEqual(21)
  })
})

describe('the frame with the content of a page', () => {
  const welcome =
    '<title>Welcome</title><h1>Harbour Inn</h1><img src="house.png" width="500" height="300"><p>Welcome to the Harbour Inn, your quiet house by the old quay of the town.</p>'
  const menu = '<a href="rooms.html" target="main">Rooms</a>'
  const routes = { '/main.html': send(welcome), '/nav.html': send(menu), '/house.png': image }
  const nav = '<frame src="nav.html" name="nav">'
  const main = '<frame src="main.html" name="main">'
  const expected = {
    title: 'Harbour Inn',
    description: 'Welcome to the Harbour Inn, your quiet house by the old quay of the town.',
    image: { url: expect.stringMatching(/\/house\.png$/) },
  }
  const inn = '<title>Harbour Inn</title>'

  it.each<[what: string, page: string]>([
    ['of two columns', `${inn}<frameset cols="160,*">${nav}${main}</frameset>`],
    ['of two rows, the menu below', `${inn}<frameset rows="*,60">${main}${nav}</frameset>`],
    ['in percent', `${inn}<frameset cols="20%,80%">${nav}${main}</frameset>`],
    ['in parts', `${inn}<frameset cols="1*,4*">${nav}${main}</frameset>`],
    [
      'within another set',
      `${inn}<frameset rows="80,*,20"><frame src="top.html"><frameset cols="150,*">${nav}${main}</frameset><frame src="foot.html"></frameset>`,
    ],
    [
      'with words for browsers without frames',
      `${inn}<frameset cols="160,*">${nav}${main}<noframes><body><p>Your browser does not show frames. Please take another browser to visit this house.</p></body></noframes></frameset>`,
    ],
    ['alone, under another address', `${inn}<frameset rows="100%,*" border="0"><frame src="main.html"></frameset>`],
    [
      'that is an iframe as large as the window',
      `${inn}<body style="margin:0"><iframe src="/main.html" style="width:100%;height:100vh;border:0"></iframe></body>`,
    ],
    [
      'that is an iframe of a blog service',
      `<title>Harbour Inn : The Blogs</title><script src="/b.js"></script><body><iframe id="mainFrame" src="/main.html" style="width:100%;height:100%;border:0;position:absolute"></iframe></body>`,
    ],
    ['of a page with the title of any', `<title>Home</title><frameset cols="160,*">${nav}${main}</frameset>`],
    ['of a page without a title', `<frameset cols="160,*">${nav}${main}</frameset>`],
  ])('%s', async (_, page) => {
    const site = await pageSite({ '/': page, ...routes })
    const { data } = await site.read({ ping: true })
    expect(data).toMatchObject({
      ...expected,
      ...(page.includes('The Blogs') && { title: expect.stringMatching(/^Harbour Inn/) }),
    })
    expect(data.url).toBe(`${site.url}/`)
  })

  it('is decoded as it declares', async () => {
    const bytes = Buffer.from('<h1>Gasth\u00F6fe am Fu\u00DFe des Berges</h1>', 'latin1')
    const frame = send(bytes, { 'content-type': 'text/html; charset=iso-8859-1' })
    const site = await pageSite({ '/': '<frameset cols="160,*"><frame src="/f.html"></frameset>', '/f.html': frame })
    expect((await site.read({ ping: true })).data.title).toBe('Gasthöfe am Fuße des Berges')
  })

  it('adds to what the page states itself', async () => {
    const page = `<title>Inn of the Harbour</title><meta name="description" content="Rooms by the quay."><frameset cols="9,*">${nav}${main}</frameset>`
    const site = await pageSite({ '/': page, ...routes })
    const { data } = await site.read({ ping: true })
    expect(data).toMatchObject({ ...expected, title: 'Inn of the Harbour', description: 'Rooms by the quay.' })
  })

  it.each<[what: string, page: string]>([
    [
      'a video in an article',
      `<h1>Harbour</h1><p>${'A film about the harbour. '.repeat(9)}</p><iframe src="/main.html" width="100%" height="100%"></iframe>`,
    ],
    ['a small one', `${inn}<body><iframe src="/main.html" width="300" height="250"></iframe></body>`],
    ['a hidden one', `${inn}<iframe src="/main.html" style="display:none;width:100%;height:100%"></iframe>`],
    ['one of several', `${inn}${'<iframe src="/main.html" width="100%" height="100%"></iframe>'.repeat(2)}`],
    ['without an address', `${inn}<iframe width="100%" height="100%"></iframe>`],
    ['as large as a part of the page', `${inn}<iframe src="/main.html" width="100%" height="600"></iframe>`],
  ])('is not %s', async (_, page) => {
    const site = await pageSite({ '/': page, ...routes })
    await site.read({ ping: true })
    expect(site.requests).not.toContain('GET /main.html')
  })

  it.each<[what: string, route: Route]>([
    ['is an error', (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end(welcome)],
    ['is a file', send(png, { 'content-type': 'image/png' })],
    ['is interrupted', (request) => void request.socket.destroy()],
  ])('that %s leaves the page as it is', async (_, route) => {
    const site = await pageSite({ '/': `${inn}<frameset cols="160,*">${nav}${main}</frameset>`, '/main.html': route })
    expect((await site.read({ ping: true })).data).toMatchObject({ title: 'Harbour Inn', description: null })
  })

  it('is never read from a private address', async () => {
    const canary = await otherSite({ '/main.html': send(welcome) })
    const site = await pageSite({ '/': `<frameset cols="160,*"><frame src="${canary.url}/main.html"></frameset>` })
    expect((await site.read({ ping: true })).data.title).toBeNull()
    expect(canary.requests).toEqual([])
  })

  it('is not requested if nothing in it is', async () => {
    const site = await pageSite({ '/': `${inn}<frameset cols="160,*">${nav}${main}</frameset>`, ...routes })
    await site.read({ ping: false })
    await site.read({ ping: true, meta: { logo: true } })
    expect(site.requests).not.toContain('GET /main.html')
  })
})

describe('a Link header', () => {
  const page = (link: string | string[], body = '<title>Sound</title>'): Route =>
    send(body, { 'content-type': 'text/html', link } as Record<string, string>)

  it.each<[what: string, link: string | string[]]>([
    ['quotes', '</sound>; rel="canonical"'],
    ['no quotes', '</sound>;rel=canonical'],
    ['further links', '</a.css>; rel=preload; as=style, </sound>; rel="canonical", </b,c.js>; rel=preload; as=script'],
    ['several headers', ['</a.css>; rel=preload', '</sound>; rel="canonical"']],
    ['several relations', '</sound>; title="A, B; C"; rel="bookmark Canonical"'],
  ])('states the URL of a page, with %s', async (_, link) => {
    const site = await pageSite({ '/': page(link) })
    expect((await site.read()).data.url).toBe(`${site.url}/sound`)
  })

  it('states the URL of a file', async () => {
    const site = await pageSite({
      '/a.json': send('{}', { 'content-type': 'application/json', link: '</sound>; rel="canonical"' }),
    })
    expect((await site.read({}, '/a.json')).data.url).toBe(`${site.url}/sound`)
  })

  it('states the icon of a page', async () => {
    const site = await pageSite({ '/': page('</large.png>; rel="icon"; sizes="96x96"'), '/large.png': image })
    expect((await site.read({ ping: true })).data.logo?.url).toBe(`${site.url}/large.png`)
  })

  it.each<[what: string, link: string, body?: string]>([
    ['the page states itself', '</other>; rel="canonical"', '<link rel="canonical" href="/sound"><title>Sound</title>'],
    ['is of another resource', '</other>; rel="canonical"; anchor="/b"'],
    ['has another relation', '</other>; rel="canonical-not", </canonical>; rel=next'],
    ['is not closed', '</other; rel="canonical"'],
    ['has no URL', '<>; rel="canonical"'],
    ['is neither http nor https', '<javascript:x.y>; rel="canonical"'],
  ])('does not state what %s', async (_, link, body) => {
    const site = await pageSite({ '/': page(link, body) })
    expect((await site.read()).data.url).toMatch(/^http:[^?#]*\/(?:sound)?$/)
  })
})
