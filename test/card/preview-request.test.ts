import { expect, it } from 'vitest'
import { previewRequest } from '../../src/card/index.js'

it('takes an address without a scheme as https', () => {
  const complete = previewRequest({ url: 'https://example.com/a', screenshot: true }, {})
  const short = previewRequest({ url: 'example.com/a', screenshot: true }, {})
  expect(short.queryKey).toEqual(complete.queryKey)
  expect(short.jsonQuery?.text).toBe('screenshot=true&url=https%3A%2F%2Fexample.com%2Fa')
})

it('has an error instead of a request for a text that is not an address', () => {
  const { jsonQuery, error } = previewRequest({ url: '/about' }, {})
  expect(jsonQuery).toBeUndefined()
  expect(error).toMatchObject({ code: 'EINVALURL' })
})

it('has the URL of the JSON without the key, at the host for callers with a key', () => {
  const endpoint = { free: 'https://free.test', pro: 'https://pro.test' }
  const url = 'https://example.com/'
  const path = '/?url=https%3A%2F%2Fexample.com%2F'
  expect(previewRequest({ url }, { endpoint })).toMatchObject({ url: `https://free.test${path}`, apiKey: undefined })
  for (const request of [
    previewRequest({ url }, { endpoint, apiKey: 'pp_a_b' }),
    previewRequest({ url, headers: { apiKey: 'pp_a_b' } }, { endpoint }),
  ])
    expect(request).toMatchObject({ url: `https://pro.test${path}`, apiKey: 'pp_a_b' })
})

it.each([{ apiKey: '' }, { headers: { apiKey: '' } }])(
  'takes an empty key, as of an unset variable, for none: %j',
  (key) => {
    const endpoint = { free: 'https://free.test', pro: 'https://pro.test' }
    const query = { url: 'https://example.com/', embed: 'image.url', ...('headers' in key && key) }
    const request = previewRequest(query, { endpoint, ...('apiKey' in key && key) })
    expect([Boolean(request.apiKey), request.embed?.field]).toEqual([false, 'image'])
    expect(new URL(request.url).host).toBe('free.test')
    expect(previewRequest(query, { endpoint: { free: 'https://free.test' } }).error).toBeUndefined()
  },
)
