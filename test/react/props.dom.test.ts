import { describe, expect, it } from 'vitest'
import { requestUrl } from '../../src/query/index.js'
import { splitProps, type CaptureProps, type PreviewOptions } from '../../src/react/props.js'

const url = 'https://example.com/'
const requested = (props: object, settings = {}) =>
  Object.fromEntries(
    new URL(requestUrl(splitProps({ url, ...props }, settings).query, 'https://service.test')).searchParams,
  )

it.each([
  [{ element: '#a' }, { element: '#a' }],
  [{ element: ['#a', '#b'] }, { 'element.0': '#a', 'element.1': '#b' }],
  [{ screenshot: { clip: '0,0,9,9', padding: 5 } }, { 'screenshot.clip': '0,0,9,9', 'screenshot.padding': '5' }],
  [{ query: { timezone: 'Asia/Tokyo' } }, { timezone: 'Asia/Tokyo' }],
  [{ query: { geolocation: '1,2' } }, { geolocation: '1,2' }],
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
    expect(splitProps({ url }, { locale }).options).toMatchObject({ locale })
    expect(requested({}, { locale })).toEqual({ url, locale: sent })
  })

  it('is not part of the request if the card has none', () => {
    expect(requested({})).toEqual({ url })
    expect(requested({}, { locale: undefined })).toEqual({ url })
  })
})

it('gives way to the locale of the query', () => {
  expect(requested({ query: { locale: 'fr' } }, { locale: 'de' })).toEqual({ url, locale: 'fr' })
})

it('does not send the key of the app to another endpoint', () => {
  const settings = { endpoint: 'https://one.test', apiKey: 'pp_secret' }
  expect(splitProps({ url }, settings).options.apiKey).toBe('pp_secret')
  const props: CaptureProps & PreviewOptions = { url, endpoint: 'https://two.test' }
  expect(splitProps(props, settings).options.apiKey).toBeUndefined()
})

it('takes a prop that is undefined as not given', () => {
  const settings = { endpoint: 'https://one.test', apiKey: 'pp_secret' }
  const props: CaptureProps & PreviewOptions & { id?: undefined } = { url, endpoint: undefined, id: undefined }
  expect(splitProps(props, settings)).toStrictEqual({ query: { url }, options: settings, attributes: {} })
})

it('knows every prop by its name', () => {
  const query: Record<Exclude<keyof CaptureProps, 'query'>, string> = {
    url,
    screenshot: 'screenshot',
    element: 'element',
    overlay: 'overlay',
    embed: 'embed',
    device: 'device',
    ttl: 'ttl',
    staleTtl: 'staleTtl',
  }
  const options: Record<keyof PreviewOptions, string> = {
    endpoint: 'endpoint',
    apiKey: 'apiKey',
    refreshInterval: 'refreshInterval',
    data: 'data',
    layout: 'layout',
    theme: 'theme',
    loading: 'loading',
    priority: 'priority',
    alt: 'alt',
    imageDetails: 'imageDetails',
    target: 'target',
    rel: 'rel',
    placeholder: 'placeholder',
    fallback: 'fallback',
    classNames: 'classNames',
    onLoad: 'onLoad',
    onError: 'onError',
    onRefresh: 'onRefresh',
  }
  const props: object = { ...query, ...options, id: 'card' }
  const split = splitProps({ url, ...props })
  expect(split).toEqual({ query, options, attributes: { id: 'card' } })
  expect(Object.keys(split.query)).toEqual(Object.keys(query))
  expect(Object.keys(split.options).toSorted()).toEqual(Object.keys(options).toSorted())
})
