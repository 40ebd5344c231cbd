// Covers which options of a page, its script tag, an element and its link apply to a preview.
import { afterEach, describe, expect, it } from 'vitest'
import { componentProps, resolveOptions, SharedOptions } from '../../src/embed/options.js'
import type { PreviewConfig } from '../../src/embed/element/index.js'

const URL = 'https://shoreline.example/tides'
const OWN = 'https://previews.example/'

afterEach(() => document.body.replaceChildren())

interface Page {
  tag?: string
  configured?: PreviewConfig
  body?: string
  query?: PreviewConfig
}

/** The options of the first preview of a page. */
function optionsOf({ tag = '', configured = {}, body = `<page-preview url="${URL}">`, query }: Page) {
  document.body.innerHTML = `<script data-tag src="${OWN}page-preview.js" ${tag}></script>${body}`
  const script = document.querySelector<HTMLScriptElement>('script[data-tag]')!
  const element: Element & { query?: PreviewConfig } = document.querySelector('page-preview,a')!
  if (query) element.query = query
  return resolveOptions(element, new SharedOptions(script, configured))
}

describe('the key of the page', () => {
  const configured = { endpoint: 'https://pro.example', apiKey: 'pp_secret' }

  it.each<[string, Page]>([
    ['with its endpoint', { configured }],
    ['with the endpoint of the tag', { configured: { apiKey: 'pp_secret' }, tag: 'data-endpoint="https://b.example"' }],
    ['with the origin of the script', { configured: { apiKey: 'pp_secret' } }],
    ['with an endpoint that is not set', { configured, query: { endpoint: undefined } }],
  ])('is sent %s', (_, page) => expect(optionsOf(page).apiKey).toBe('pp_secret'))

  it.each<[string, Page]>([
    ['of an element', { configured, query: { endpoint: 'https://other.example' } }],
    ['of the tag', { configured, tag: 'data-endpoint="https://other.example"' }],
  ])('is not sent to another endpoint, %s', (_, page) =>
    expect(optionsOf(page)).toMatchObject({ endpoint: 'https://other.example', apiKey: undefined }),
  )
})

it.each<PreviewConfig>([{ endpoint: undefined }, { endpoint: '' }, { layout: undefined, theme: undefined }, {}])(
  'what is not given hides nothing: %j',
  (empty) => {
    const expected = { url: URL, endpoint: OWN, layout: 'row' }
    expect(optionsOf({ tag: 'data-layout="row"', configured: empty })).toMatchObject(expected)
    expect(optionsOf({ tag: 'data-layout="row"', query: empty })).toMatchObject(expected)
    expect(optionsOf({ tag: 'data-layout="row"', query: { ...empty, url: undefined } })).toMatchObject(expected)
  },
)

describe('the attributes of a link', () => {
  it('are options if it is marked', () => {
    const body = `<a href="${URL}" data-page-preview data-type="png" data-layout="row">Tides</a>`
    expect(optionsOf({ body })).toMatchObject({ url: URL, layout: 'row', 'screenshot.type': 'png' })
  })

  it('are those of the page if it is not, but for what is no parameter', () => {
    const body = `<a href="${URL}" data-type="post" data-id="7" data-filter=".x" data-layout="row">Tides</a>`
    const { props } = componentProps(optionsOf({ body }))
    expect(props).toEqual({ url: URL, query: {}, layout: 'row' })
  })
})
