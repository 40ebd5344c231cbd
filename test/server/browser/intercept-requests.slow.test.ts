import { expect, it } from 'vitest'
import { localSite, type Route } from '../../local-site.js'
import { startTestBrowser } from './test-browser.js'

const REFERER = 'https://secret.example/path?token=a|b'

it('sends the referer of the query to the origin of its URL, and to no other after a redirect', async () => {
  const received: string[] = []
  const record = (name: string, body: string | { location: string }): Route => {
    return (request, response) => {
      received.push(`${name}: ${request.headers.referer}`)
      if (name === 'other') expect(JSON.stringify(request.headers)).not.toContain('secret')
      if (typeof body === 'string') response.writeHead(200, { 'content-type': 'text/html' }).end(body)
      else response.writeHead(302, body).end()
    }
  }
  const script = '<script>new Image().src = "/seen?" + encodeURIComponent(document.referrer)</script>'
  const other = await localSite({
    '/': record('other', `<title>Other</title>Other${script}`),
    '/seen': record('image', ''),
  })
  const own = await startTestBrowser(
    {
      '/': record('own', { location: '/second' }),
      '/second': record('second', { location: `${other.url}/` }),
    },
    { allowTargets: [other.host] },
  )
  const { url } = await own.capture('/', {
    headers: { referer: REFERER, authorization: 'Bearer secret', 'x-token': 'secret', cookie: 'a=secret' },
  })
  await own.close()
  await other.close()
  expect(received.slice(0, 2)).toEqual([`own: ${REFERER}`, `second: ${REFERER}`])
  expect(url).toBe(`${other.url}/`)
  expect(received[2]).toBe('other: undefined')
  expect([...received.slice(2), ...other.requests].join('\n')).not.toContain('secret.example')
  expect(other.requests).toContainEqual(expect.stringContaining('/seen'))
})
