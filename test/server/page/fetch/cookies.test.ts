import { describe, expect, it } from 'vitest'
import { createCookies } from '../../../../src/server/page/fetch/cookies.js'
import { fetchImage } from '../../../../src/server/page/fetch/index.js'
import { createDispatcher, createGuard } from '../../../../src/server/network/index.js'
import { localSite, type Route } from '../../../local-site.js'
import { otherSite, pageSite } from '../page-site.js'

const HTML = { 'content-type': 'text/html; charset=utf-8' }

/** Sets a cookie and redirects; shows the page to those who have the cookie. */
const wall =
  (location: string, cookie = 'ok=1; Path=/'): Route =>
  ({ headers }, response) =>
    /ok=1/.test(headers.cookie ?? '')
      ? void response.writeHead(200, HTML).end('<title>Behind a cookie</title>')
      : void response.writeHead(302, { location, 'set-cookie': cookie }).end()

describe('cookies of a chain of redirects', () => {
  it('lead to a page that redirects to itself until it gets them', async () => {
    const site = await pageSite({ '/': wall('/') })
    expect(await site.fetch()).toMatchObject({
      html: '<title>Behind a cookie</title>',
      redirects: [{ statusCode: 302, url: `${site.url}/` }],
    })
  })

  it('are kept over other hosts, and each host has its own', async () => {
    const received: unknown[] = []
    const record =
      (cookie: string, location: string): Route =>
      ({ headers }, response) => {
        received.push(headers.cookie)
        response.writeHead(302, { location, 'set-cookie': cookie }).end()
      }
    const login = await localSite({}, 0, '127.0.0.2')
    try {
      const site = await pageSite({ '/': record('site=1', `${login.url}/login`) }, [login])
      login.routes['/login'] = record('login=2', `${site.url}/back`)
      site.routes['/back'] = record('more=3', `${login.url}/again`)
      login.routes['/again'] = record('login=4', `${site.url}/end`)
      site.routes['/end'] = (request, response) => {
        received.push(request.headers.cookie)
        response.writeHead(200, HTML).end('<title>There</title>')
      }
      expect((await site.fetch()).html).toBe('<title>There</title>')
      expect(received).toEqual([undefined, undefined, 'site=1', 'login=2', 'site=1; more=3'])
    } finally {
      await login.close()
    }
  })

  it('are not those of another request', async () => {
    const cookies: unknown[] = []
    const site = await pageSite({
      '/': ({ headers }, response) => {
        cookies.push(headers.cookie)
        response.writeHead(200, { ...HTML, 'set-cookie': 'visitor=1' }).end('<title>x</title>')
      },
    })
    const { headers } = await site.fetch()
    await site.fetch()
    expect(cookies).toEqual([undefined, undefined])
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it('replace those of the caller with the same name, which no other host gets', async () => {
    const received: unknown[] = []
    const other = await otherSite({})
    const site = await pageSite(
      {
        '/': ({ headers }, response) => {
          received.push(headers.cookie)
          response.writeHead(302, { location: '/next', 'set-cookie': 'session=new' }).end()
        },
        '/next': ({ headers }, response) => {
          received.push(headers.cookie)
          response.writeHead(302, { location: `${other.url.replace('127.0.0.1', 'localhost')}/` }).end()
        },
      },
      [{ host: other.host.replace('127.0.0.1', 'localhost') }],
    )
    other.routes['/'] = ({ headers }, response) => {
      received.push(headers.cookie)
      response.writeHead(200, HTML).end('<title>x</title>')
    }
    await site.fetch('/', { headers: { cookie: 'session=old; lang=de' } })
    expect(received).toEqual(['session=old; lang=de', 'lang=de; session=new', undefined])
  })

  it('lead to an image too', async () => {
    const site = await otherSite({
      '/a.png': ({ headers }, response) =>
        headers.cookie
          ? void response.writeHead(200, { 'content-type': 'image/png' }).end('png')
          : void response.writeHead(302, { location: '/a.png', 'set-cookie': 'a=1' }).end(),
    })
    const guard = createGuard({ allowTargets: [site.host] })
    const dispatcher = createDispatcher(guard)
    const parts = { guard, dispatcher, signal: new AbortController().signal }
    expect(Buffer.from(await fetchImage(`${site.url}/a.png`, parts)).toString()).toBe('png')
    await dispatcher.destroy()
  })
})

describe('the rules of browsers', () => {
  const cookiesAfter = (setCookie: string[], from: string, to: string) => {
    const cookies = createCookies()
    cookies.store(setCookie, new URL(from))
    return cookies.header(new URL(to))
  }

  it.each([
    ['a host cookie, same host', 'a=1', 'https://www.a.example/x', 'https://www.a.example/', 'a=1'],
    ['a host cookie, subdomain', 'a=1', 'https://a.example/', 'https://www.a.example/', ''],
    ['a host cookie, other host', 'a=1', 'https://a.example/', 'https://b.example/', ''],
    [
      'a domain cookie, sister host',
      'a=1; Domain=.a.example',
      'https://sso.a.example/',
      'https://www.a.example/',
      'a=1',
    ],
    ['a domain cookie, its domain', 'a=1; domain=a.example', 'https://www.a.example/', 'https://a.example/', 'a=1'],
    ['a cookie for another domain', 'a=1; Domain=b.example', 'https://a.example/', 'https://b.example/', ''],
    ['a cookie for a suffix', 'a=1; Domain=co.uk', 'https://a.co.uk/', 'https://b.co.uk/', ''],
    ['a cookie for a private suffix', 'a=1; Domain=github.io', 'https://a.github.io/', 'https://b.github.io/', ''],
    ['another path', 'a=1; Path=/shop', 'https://a.example/', 'https://a.example/blog', ''],
    ['its path', 'a=1; Path=/shop', 'https://a.example/', 'https://a.example/shop/cart', 'a=1'],
    ['secure, to http', 'a=1; Secure', 'https://a.example/', 'http://a.example/', ''],
    ['http, to https', 'a=1', 'http://a.example/', 'https://a.example/', 'a=1'],
    ['SameSite=Strict', 'a=1; SameSite=Strict; HttpOnly', 'https://a.example/', 'https://a.example/', 'a=1'],
    ['expired', 'a=1; Max-Age=0', 'https://a.example/', 'https://a.example/', ''],
    ['expired long ago', 'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'https://a.example/', 'https://a.example/', ''],
    ['without a name', 'token', 'https://a.example/', 'https://a.example/', 'token'],
    ['with a value in quotes', 'a="1 2"', 'https://a.example/', 'https://a.example/', 'a="1 2"'],
    ['an address', 'a=1; Domain=127.0.0.1', 'http://127.0.0.1/', 'http://127.0.0.1:8080/', 'a=1'],
    ['too long', `a=${'x'.repeat(5_000)}`, 'https://a.example/', 'https://a.example/', ''],
    ['with a control character', 'a=1\u0001', 'https://a.example/', 'https://a.example/', ''],
    ['a prefix that does not fit', '__Host-a=1; Path=/', 'http://a.example/', 'http://a.example/', ''],
  ])('%s', (_, setCookie, from, to, header) => {
    expect(cookiesAfter([setCookie], from, to)).toBe(header)
  })

  it('has the newest value, and none that is deleted', () => {
    const url = 'https://a.example/'
    expect(cookiesAfter(['a=1', 'b=2', 'a=3', 'b=; Max-Age=0'], url, url)).toBe('a=3')
  })

  it('limits how many there are, and how long the header is', () => {
    const url = 'https://a.example/'
    const many = Array.from({ length: 1_000 }, (_, index) => `n${index}=1`)
    expect(cookiesAfter(many, url, url).split('; ')).toHaveLength(180)
    const long = Array.from({ length: 100 }, (_, index) => `n${index}=${'x'.repeat(4_000)}`)
    expect(cookiesAfter(long, url, url).length).toBeLessThanOrEqual(16_384)
  })
})
