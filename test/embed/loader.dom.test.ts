import { afterAll, afterEach, expect, it, vi } from 'vitest'
import type { PreviewConfig } from '../../src/embed/element/index.js'
import type { ScriptTag } from '../../src/embed/script-tag.js'

const observed = new Set<Element>()
vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe = (element: Element) => void observed.add(element)
    unobserve = (element: Element) => void observed.delete(element)
  },
)

// The tests of other files share modules with this one, and there is one observer for a whole page.
vi.resetModules()
const { createScript } = await import('../../src/embed/loader.js')
const { SharedOptions } = await import('../../src/embed/options.js')

afterEach(() => observed.clear())
afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
  document.head.innerHTML = ''
  document.body.innerHTML = ''
})

const SERVICE = { endpoint: 'https://service.test' }

interface Page {
  tag?: string
  configured?: PreviewConfig
  /** Properties of the element. */
  properties?: { query?: PreviewConfig; endpoint?: string }
}

/** Whether a frozen preview stays one: for the script that observes it, and for the element that mounts it. */
function staysFrozen({ tag: attributes = '', configured = {}, properties }: Page) {
  document.head.innerHTML = `<script src="https://cdn.test/page-preview.js" data-layout="card" ${attributes}></script>`
  document.body.innerHTML = '<page-preview data-frozen></page-preview>'
  const tag = document.querySelector<HTMLScriptElement>('script') as ScriptTag
  const element = Object.assign(document.querySelector('page-preview')!, properties)
  createScript(tag).configure(configured)
  const sharedOptions = new SharedOptions(tag, configured)
  return { script: !observed.has(element), element: sharedOptions.isFrozen(element) }
}

const LIVE = { script: false, element: false }
const FROZEN = { script: true, element: true }

it.each<[string, Page, typeof LIVE]>([
  ['stays frozen while nothing names a service', {}, FROZEN],
  ['stays frozen with options that name no service', { properties: { query: { layout: 'row' } } }, FROZEN],
  ['stays frozen with a property that the element does not have', { properties: SERVICE }, FROZEN],
  ['stays frozen with an empty endpoint', { tag: 'data-endpoint=""' }, FROZEN],
  ['becomes live with the endpoint of the tag', { tag: 'data-endpoint="/previews"' }, LIVE],
  ['becomes live with the endpoint of configure', { configured: SERVICE }, LIVE],
  [
    'becomes live with the endpoint of configure beside an empty one',
    { tag: 'data-endpoint=""', configured: SERVICE },
    LIVE,
  ],
  ['becomes live with the endpoint of its own query', { properties: { query: SERVICE } }, LIVE],
])('%s', (_, page, expected) => {
  expect(staysFrozen(page)).toEqual(expected)
})
