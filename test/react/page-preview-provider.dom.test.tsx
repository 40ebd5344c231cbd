import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { PagePreviewProvider, type PagePreviewProps, type PagePreviewProviderProps } from '../../src/react/index.js'
import { ar, de } from '../../src/react/messages/index.js'
import { usePreviewProps } from '../../src/react/page-preview-provider.js'

const ownFetch = () => Promise.reject(new Error('not called'))
const outer: PagePreviewProviderProps = {
  endpoint: 'https://a.test',
  apiKey: 'pp_a',
  fetch: ownFetch,
  defaults: { layout: 'row', theme: 'dark' },
}

it.each<[string, PagePreviewProviderProps, object]>([
  ['nothing', {}, { endpoint: 'https://a.test', apiKey: 'pp_a', fetch: ownFetch, layout: 'row', theme: 'dark' }],
  ['another default', { defaults: { theme: 'light' } }, { apiKey: 'pp_a', layout: 'row', theme: 'light' }],
  ['an undefined service', { endpoint: undefined, apiKey: undefined }, { endpoint: 'https://a.test', apiKey: 'pp_a' }],
  ['another key', { apiKey: 'pp_b' }, { endpoint: 'https://a.test', apiKey: 'pp_b' }],
  [
    'another service, which does not get the key',
    { endpoint: 'https://b.test' },
    { endpoint: 'https://b.test', apiKey: undefined },
  ],
  [
    'another service among its defaults, which does not get the key',
    { defaults: { endpoint: 'https://b.test' } },
    { endpoint: 'https://b.test', apiKey: undefined },
  ],
  [
    'another service and key',
    { endpoint: 'https://b.test', apiKey: 'pp_b' },
    { endpoint: 'https://b.test', apiKey: 'pp_b' },
  ],
])('a provider within another one that sets %s inherits the rest', (_, inner, expected) => {
  const { result } = renderHook(() => usePreviewProps('PagePreview', { url: 'https://example.com/' }), {
    wrapper: ({ children }) => (
      <PagePreviewProvider {...outer}>
        <PagePreviewProvider {...inner}>{children}</PagePreviewProvider>
      </PagePreviewProvider>
    ),
  })
  expect(result.current.options).toMatchObject(expected)
})

it('has the messages of the outer provider that the inner one does not translate, and none that is undefined', () => {
  const { result } = renderHook(() => usePreviewProps('PagePreview', { url: 'https://example.com/' }), {
    wrapper: ({ children }) => (
      <PagePreviewProvider messages={{ locale: 'de', retry: 'Wiederholen', updating: undefined! }}>
        <PagePreviewProvider messages={{ retry: 'Nochmal', locale: undefined! }}>{children}</PagePreviewProvider>
      </PagePreviewProvider>
    ),
  })
  expect(result.current.options.messages).toStrictEqual({ locale: 'de', retry: 'Nochmal' })
})

it('has no message of the outer provider beside another language', () => {
  const { result } = renderHook(() => usePreviewProps('PagePreview', { url: 'https://example.com/' }), {
    wrapper: ({ children }) => (
      <PagePreviewProvider messages={ar}>
        <PagePreviewProvider messages={de}>{children}</PagePreviewProvider>
      </PagePreviewProvider>
    ),
  })
  expect(result.current.options.messages).toStrictEqual(de)
})

it.each<[string, PagePreviewProviderProps['defaults'], PagePreviewProviderProps, Partial<PagePreviewProps>]>([
  ['key to the service of the preview', { apiKey: 'pp_a' }, {}, { endpoint: 'https://b.test' }],
  ['key to the service of the inner provider', { apiKey: 'pp_a' }, { endpoint: 'https://b.test' }, {}],
  [
    'key among the headers to the service of the preview',
    { query: { headers: { apiKey: 'pp_a' } } },
    {},
    { endpoint: 'https://b.test' },
  ],
  [
    'key among the headers to the service of the inner provider',
    { query: { headers: { apiKey: 'pp_a' } } },
    { endpoint: 'https://b.test' },
    {},
  ],
])('does not send a default %s', (_, defaults, inner, own) => {
  const { result } = renderHook(() => usePreviewProps('PagePreview', { url: 'https://example.com/', ...own }), {
    wrapper: ({ children }) => (
      <PagePreviewProvider defaults={{ endpoint: 'https://a.test', ...defaults }}>
        <PagePreviewProvider {...inner}>{children}</PagePreviewProvider>
      </PagePreviewProvider>
    ),
  })
  expect(result.current.options).toMatchObject({ endpoint: 'https://b.test', apiKey: undefined })
  expect(JSON.stringify(result.current)).not.toContain('pp_a')
})

it('sends the default headers, and the key among them, to its own service', () => {
  const headers = { apiKey: 'pp_a', 'accept-language': 'de' }
  const { result } = renderHook(() => usePreviewProps('PagePreview', { url: 'https://example.com/' }), {
    wrapper: ({ children }) => (
      <PagePreviewProvider defaults={{ query: { headers } }}>
        <PagePreviewProvider defaults={{ query: { palette: true } }}>{children}</PagePreviewProvider>
      </PagePreviewProvider>
    ),
  })
  expect(result.current.options.apiKey).toBe('pp_a')
  expect(result.current.query).toMatchObject({ headers: { 'accept-language': 'de' }, palette: true })
})

it('completes the `query` of a preview by the default ones', () => {
  const query = { palette: true, scroll: '#b' }
  const { result } = renderHook(() => usePreviewProps('PagePreview', { url: 'https://example.com/', query }), {
    wrapper: ({ children }) => (
      <PagePreviewProvider defaults={{ query: { scroll: '#a', click: '#more' } }}>{children}</PagePreviewProvider>
    ),
  })
  expect(result.current.query).toEqual({ url: 'https://example.com/', palette: true, scroll: '#b', click: '#more' })
})

it('completes the `classNames` of a preview by the default ones', () => {
  const own: PagePreviewProps = { url: 'https://example.com/', classNames: { host: 'c' } }
  const { result } = renderHook(() => usePreviewProps('PagePreview', own), {
    wrapper: ({ children }) => (
      <PagePreviewProvider defaults={{ classNames: { root: 'a', host: 'b' } }}>{children}</PagePreviewProvider>
    ),
  })
  expect(result.current.options.classNames).toEqual({ root: 'a', host: 'c' })
})

it('keeps the defaults of what a component passes on as `undefined`', () => {
  const own: PagePreviewProps = {
    url: 'https://example.com/',
    layout: undefined,
    classNames: { root: undefined },
    query: undefined,
  }
  const { result } = renderHook(() => usePreviewProps('PagePreview', own, { embed: true }), {
    wrapper: ({ children }) => (
      <PagePreviewProvider defaults={{ layout: 'row', classNames: { root: 'a' }, query: { palette: true } }}>
        <PagePreviewProvider defaults={{ layout: undefined }}>{children}</PagePreviewProvider>
      </PagePreviewProvider>
    ),
  })
  expect(result.current.options).toMatchObject({ layout: 'row', classNames: { root: 'a' } })
  expect(result.current.query).toEqual({ url: 'https://example.com/', embed: true, palette: true })
})
