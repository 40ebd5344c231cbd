import { describe, expect, it } from 'vitest'
import { requestUrl } from '../../src/query/index.js'
import { splitProps, type PreviewOptions } from '../../src/react/props.js'

const url = 'https://example.com/'
const requested = (props: object) =>
  Object.fromEntries(new URL(requestUrl(splitProps({ url, ...props }).query, 'https://service.test')).searchParams)

it.each([
  [{ element: '#a' }, { element: '#a' }],
  [{ element: ['#a', '#b'] }, { 'element.0': '#a', 'element.1': '#b' }],
  [{ screenshot: { clip: '0,0,9,9', padding: 5 } }, { 'screenshot.clip': '0,0,9,9', 'screenshot.padding': '5' }],
  [{ timezone: 'Asia/Tokyo' }, { timezone: 'Asia/Tokyo' }],
  [{ geolocation: '1,2' }, { geolocation: '1,2' }],
])('requests the page with %j', (props, parameters) => {
  expect(requested(props)).toEqual({ url, ...parameters })
})

describe('the locale', () => {
  it.each([
    ['de-AT', 'de-AT'],
    ['de_DE', 'de-DE'],
    ['zh_Hant_TW', 'zh-Hant-TW'],
    ['no language', 'en'],
  ])('%s of the card is the locale of the request', (locale, sent) => {
    expect(splitProps({ url, locale }).options).toEqual({ locale })
    expect(requested({ locale })).toEqual({ url, locale: sent })
  })

  it('is not part of the request if the card has none', () => {
    expect(requested({})).toEqual({ url })
    expect(requested({ locale: undefined })).toEqual({ url })
  })
})

it('knows every option by its name', () => {
  const options: Record<keyof PreviewOptions, undefined> = {
    endpoint: undefined,
    apiKey: undefined,
    fetch: undefined,
    queryClient: undefined,
    refreshInterval: undefined,
    data: undefined,
    layout: undefined,
    theme: undefined,
    loading: undefined,
    priority: undefined,
    alt: undefined,
    facts: undefined,
    referrerPolicy: undefined,
    locale: undefined,
    messages: undefined,
    placeholder: undefined,
    fallback: undefined,
    classNames: undefined,
    onLoad: undefined,
    onError: undefined,
    onRefresh: undefined,
  }
  expect(splitProps({ url, ...options, id: 'card' })).toEqual({ query: { url }, options, attributes: { id: 'card' } })
  expect(Object.keys(splitProps({ url, ...options }).options)).toEqual(Object.keys(options))
})
