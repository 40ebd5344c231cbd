// Covers pages that opt out only after their scripts have run, or only to the browser, with a real one.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import { startService, type StartedService } from '../shared/start-service.js'

const write = (content: string) =>
  `<title>Page</title><meta property="og:description" content="About"><h1>Page</h1><script>
     const meta = Object.assign(document.createElement('meta'), { name: 'Page-Preview', content: '${content}' })
     document.head.append(meta)
   </script>`
const html = { 'content-type': 'text/html' }
const toBrowsers =
  (value: string): Route =>
  (request, response) =>
    void response
      .writeHead(200, { ...html, ...(!/bot/i.test(request.headers['user-agent']!) && { 'x-page-preview': value }) })
      .end('<title>Page</title><h1>Page</h1>')

let site: LocalSite
let service: StartedService
beforeAll(async () => {
  site = await localSite({
    '/none': write('none'),
    '/noscreenshot': write('noscreenshot'),
    '/header': toBrowsers('none'),
    '/allowed': '<title>Page</title><h1>Page</h1>',
    '/excluded': '<title>Excluded</title><h1>Excluded</h1>',
    '/leads': `<title>Leads</title><h1>Leads</h1><script>location.replace('/excluded')</script>`,
    '/robots.txt': 'User-agent: PagePreviewbot\nDisallow: /excluded',
  })
  service = await startService(`--allow-target=${site.host}`)
})
afterAll(() => Promise.all([service.stop(), site.close()]))

async function preview(path: string) {
  const query = new URLSearchParams({ url: site.url + path, screenshot: 'true' })
  return (await (await fetch(`${service.free}/?${query}`)).json()) as PageResponse
}

it('captures a page that does not opt out', async () => {
  const { data } = await preview('/allowed')
  expect(data).toMatchObject({ title: 'Page', screenshot: { type: 'jpg' } })
})

it.each(['/none', '/header', '/excluded', '/leads'])('shows nothing of %s', async (path) => {
  const { data } = await preview(path)
  expect(data).toMatchObject({ title: null, description: null, screenshot: null, state: 'opted-out' })
})

it('has the metadata of a page whose scripts want no screenshot', async () => {
  const { data, warnings } = await preview('/noscreenshot')
  expect(data).toMatchObject({ title: 'Page', description: 'About', screenshot: null })
  expect(data.state).toBeUndefined()
  expect(warnings).toEqual([expect.stringContaining('does not want a screenshot')])
})
