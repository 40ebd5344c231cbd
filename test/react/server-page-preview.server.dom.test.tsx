// Covers `PagePreview` in server components, rendered on a server and hydrated.
// @vitest-environment node
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { QueryClient } from '@tanstack/react-query'
import { Suspense, type ReactElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { beforeEach, expect, it, vi } from 'vitest'
import type { PageError } from '../../src/query/index.js'
import { PagePreviewProvider, PagePreview as BrowserPreview, type PagePreviewProps } from '../../src/react/index.js'
import * as browserNames from '../../src/react/index.js'
import * as serverNames from '../../src/react/index.server.js'
import { fakeService, page, TARGET } from './fake-service.js'

const { PagePreview, useSuspensePagePreview } = serverNames
const KEY = 'pp_0123456789ab_hush'
const endpoint = { free: 'https://service.test', pro: 'https://pro.test' }

// `test/react/warnings.server.dom.test.ts` covers what the server's console says.
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

const make = async (props: Omit<PagePreviewProps, 'url'>) =>
  (await PagePreview({ url: TARGET, ...props })) as ReactElement
const htmlOf = async (props: Omit<PagePreviewProps, 'url'>) => renderToString(await make(props))

it('has the names of the browser’s entry', () => {
  expect(Object.keys(serverNames).toSorted()).toEqual(Object.keys(browserNames).toSorted())
})

it.each(['card', 'row', 'image', 'inline'] as const)(
  'in the layout %s renders the markup of the browser’s component for the same data, without a style',
  async (layout) => {
    const { fetch } = fakeService({})
    const html = await htmlOf({ server: { fetch }, endpoint, layout, screenshot: true, className: 'mine', id: 'one' })
    const props = { url: TARGET, data: page, layout, className: 'mine', id: 'one' }
    // Data from the caller keeps its own ratio, data from the service does not.
    const expected = renderToString(<BrowserPreview {...props} />).replace(' data-fit="own"', '')
    expect(html).toBe(expected)
    expect(html).toContain('data-status="ready"')
    expect(html).not.toMatch(/ style=|<script/)
  },
)

it('sends one request, with the parameters of the query only', async () => {
  const service = fakeService({})
  await make({ server: { fetch: service.fetch }, endpoint, screenshot: true, element: '#main' })
  expect(service.requests.map(String)).toEqual([
    `https://service.test/?element=%23main&url=${encodeURIComponent(TARGET)}`,
  ])
})

it('calls a handler in the same process without an endpoint', async () => {
  const service = fakeService({})
  const urls: string[] = []
  const handler: typeof fetch = (url, init) => {
    urls.push(url as string)
    return service.fetch(url, init)
  }
  expect(await htmlOf({ server: { fetch: handler }, screenshot: true })).toContain('How a tide table is made')
  expect(urls).toEqual([`/page-preview?screenshot=true&url=${encodeURIComponent(TARGET)}`])
})

it.each<[string, typeof fetch, PageError['code']]>([
  ['responds with an error', fakeService({ error: { status: 422, code: 'EELEMENT' } }).fetch, 'EELEMENT'],
  ['cannot be reached', () => Promise.reject(new TypeError('fetch failed')), 'EFATALCLIENT'],
  ['does not respond in time', () => new Promise(() => {}), 'ETIMEOUTCLIENT'],
])('leaves the preview to the browser and reports the error when the service %s', async (_, fetch, code) => {
  const errors: PageError[] = []
  const onError = (error: PageError) => errors.push(error)
  const element = await make({ server: { fetch, timeLimit: 30 }, endpoint, screenshot: true, onError })
  expect(element.props).not.toHaveProperty('onError')
  const html = renderToString(element)
  expect(html).toContain(`href="${TARGET}"`)
  expect(html).toContain('data-status="loading"')
  expect(errors).toMatchObject([{ code }])
})

it('requests nothing without the address of a service, or for the app’s own data', async () => {
  const request = vi.spyOn(globalThis, 'fetch')
  expect(await htmlOf({ screenshot: true })).toContain('data-status="loading"')
  expect(await htmlOf({ data: page, endpoint })).toContain('How a tide table is made')
  expect(request).not.toHaveBeenCalled()
})

it('calls `onLoad` on the server, and leaves actions of the server to the browser', async () => {
  const onLoad = vi.fn()
  const onError = Object.assign(() => {}, { $$typeof: Symbol.for('react.server.reference') })
  const query = { filter: ['title'] }
  const element = await make({ server: { fetch: fakeService({}).fetch }, endpoint, onLoad, onError, query })
  expect(onLoad).toHaveBeenCalledExactlyOnceWith({ title: page.title }, expect.objectContaining({ statusCode: 200 }))
  for (const internal of ['data', 'first', 'revalidation'])
    expect(onLoad.mock.lastCall![1]).not.toHaveProperty(internal)
  expect(element.props).toMatchObject({ onError })
  expect(element.props).not.toHaveProperty('onLoad')
})

it('is no link for an invalid URL', async () => {
  const errors: PageError[] = []
  const html = renderToString(await PagePreview({ url: 'javascript:alert(1)', onError: (error) => errors.push(error) }))
  expect(html).not.toContain('javascript:alert(1)"')
  expect(errors).toMatchObject([{ code: 'EINVALURL' }])
})

it('rethrows errors of the program', async () => {
  const fetch = () => {
    throw new ReferenceError('nothing here')
  }
  await expect(make({ server: { fetch }, endpoint, onError: fetch })).rejects.toThrow(ReferenceError)
})

it.each<[Partial<PagePreviewProps>, string, unknown]>([
  [{ apiKey: KEY }, 'https://pro.test', undefined],
  [{ query: { headers: { apiKey: KEY } } }, 'https://pro.test', undefined],
  [{ query: { headers: { 'api-key': KEY } } }, 'https://pro.test', undefined],
  [{ query: { headers: { 'API-KEY': KEY } } }, 'https://pro.test', undefined],
  [{ server: { apiKey: KEY } }, 'https://pro.test', endpoint],
  [{ server: { endpoint: 'http://inside.test', apiKey: KEY } }, 'http://inside.test', endpoint],
  [{ apiKey: '' }, 'https://service.test', endpoint],
])('with %j sends the key to %s and nowhere else', async (secret, origin, browserEndpoint) => {
  const service = fakeService({})
  const server = { ...secret.server, fetch: service.fetch }
  const element = await make({ endpoint, screenshot: true, ...secret, server })
  expect(service.requests[0]!.origin).toBe(origin)
  expect(element.props).toMatchObject({ url: TARGET, serverResult: { result: { data: page } } })
  expect((element.props as PagePreviewProps).endpoint).toEqual(browserEndpoint)
  expect(element.props).not.toHaveProperty('server')
  for (const text of [renderToString(element), JSON.stringify(element.props)]) expect(text).not.toContain('hush')
})

it('starts with the result of the server at any endpoint of the browser', async () => {
  const element = await make({ server: { fetch: fakeService({}).fetch }, query: { locale: 'de-AT' }, screenshot: true })
  const html = renderToString(
    <PagePreviewProvider endpoint="/elsewhere" locale="de-AT">
      {element}
    </PagePreviewProvider>,
  )
  expect(html).toContain('data-status="ready"')
})

it('requests its own result if the defaults of a provider change the query', async () => {
  const element = await make({ server: { fetch: fakeService({}).fetch }, screenshot: true })
  const html = renderToString(
    <PagePreviewProvider defaults={{ query: { colorScheme: 'dark' } }}>{element}</PagePreviewProvider>,
  )
  expect(html).toContain('data-status="loading"')
})

it('throws in place of a hook that would suspend forever, because a server keeps no results', async () => {
  function Title() {
    const [, { page: data }] = useSuspensePagePreview({ url: TARGET, endpoint })
    return <b>{data.title}</b>
  }
  const service = fakeService({})
  const client = new QueryClient()
  const htmlWith = async (queryClient?: QueryClient) => {
    const errors: unknown[] = []
    const element = (
      <PagePreviewProvider fetch={service.fetch} queryClient={queryClient}>
        <Suspense fallback={<i>Loading</i>}>
          <Title />
        </Suspense>
      </PagePreviewProvider>
    )
    const rendering = renderToPipeableStream(element, { onError: (error) => void errors.push(error) })
    return { html: await text(rendering.pipe(new PassThrough())), errors }
  }
  const without = await htmlWith()
  expect(without.html).toContain('<i>Loading</i>')
  expect(without.errors).toEqual([
    new Error('useSuspensePagePreview() needs a QueryClient on a server: put a <QueryClientProvider> around it.'),
  ])
  expect(service.requests).toEqual([])
  expect((await htmlWith(client)).html).toContain(`<b>${page.title}</b>`)
})
