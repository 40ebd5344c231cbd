import { afterAll, expect, it } from 'vitest'
import { createService, type ServiceOptions } from '../../../src/server/index.js'
import { localSite } from '../../local-site.js'

const services: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(services.map((service) => service.close())))

function start(options: ServiceOptions = {}) {
  const service = createService(options)
  services.push(service)
  return service
}

async function read(options: ServiceOptions, url = 'http://previews.test/about-bot') {
  const response = await start(options).fetch(new Request(url))
  return { response, html: await response.text() }
}

it('says on both hosts who runs the service, with links', async () => {
  const operator = 'Example & Sons <previews@example.com>, https://example.com/previews'
  const options = { operator, proHost: 'pro.test' }
  for (const url of ['http://previews.test/about-bot', 'http://pro.test/about-bot']) {
    const { response, html } = await read(options, url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(html).toContain(
      'Example &amp; Sons &lt;<a href="mailto:previews@example.com">previews@example.com</a>&gt;, ',
    )
    expect(html).toContain('<a href="https://example.com/previews">https://example.com/previews</a>.')
    expect(html).toContain(`<title>PagePreviewbot of ${new URL(url).host}</title>`)
  }
})

it('says without an operator that there is no contact', async () => {
  expect((await read({})).html).toContain('The operator of previews.test, who has named no contact here.')
})

it('shows the user agent, the times of the cache, and how to opt out', async () => {
  const { html } = await read({ userAgent: 'Bot/1 <"&>' })
  expect(html).toContain('<code>Bot/1 &lt;&quot;&amp;&gt;</code>')
  expect(html).toContain('for 24 hours')
  expect(html).toContain('at most 31 days')
  expect(html).toContain('User-agent: PagePreviewbot')
  expect(html).toContain('curl -X POST -G http://previews.test/owners/refresh ')
  expect(html).toContain('&lt;meta name="page-preview" content="noscreenshot"&gt;')
})

it('does not promise what the operator ignores', async () => {
  const { html } = await read({ ignoreOptOut: true })
  expect(html).not.toContain('Disallow')
  expect(html).not.toContain('/owners/')
  expect(html).toContain('does not read what pages say about previews')
})

it.each<[string, ServiceOptions, string]>([
  ['of its public URL', { publicUrl: 'https://previews.example' }, 'https://previews.example/about-bot'],
  ['of its pro host', { proPublicUrl: 'https://pro.example/base' }, 'https://pro.example/base/about-bot'],
  ['that an operator sets', { publicUrl: 'https://a.example', botInfoUrl: 'https://b.example' }, 'https://b.example'],
  ['of its package', {}, 'https://www.npmjs.com/package/page-preview-server'],
])('is named by the user agent, at the address %s', async (_, options, address) => {
  const agents: (string | undefined)[] = []
  const site = await localSite({
    '/': (request, response) => {
      agents.push(request.headers['user-agent'])
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Page</title>')
    },
  })
  services.push(site)
  const service = start({ ...options, allowTargets: [site.host] })
  await service.fetch(new Request(`http://previews.test/?${new URLSearchParams({ url: site.url })}`))
  expect(agents).toEqual([expect.stringContaining(`; +${address})`)])
})
