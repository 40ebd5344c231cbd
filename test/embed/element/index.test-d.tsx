import type { ComponentProps } from 'react'
import type { JSX as SolidJsx } from 'solid-js'
import type { SvelteHTMLElements } from 'svelte/elements'
import type { GlobalComponents } from 'vue'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  LoadDetail,
  PagePreviewElement,
  PreviewAttributes,
  PreviewOptions,
  PreviewConfig,
  RefreshDetail,
} from '../../../src/embed/element/index.js'
import '../../../src/embed/element/react.js'
import '../../../src/embed/element/solid.js'
import '../../../src/embed/element/svelte.js'
import '../../../src/embed/element/vue.js'
import type { PageError, PageQuery } from '../../../src/query/index.js'
import type { AppSettings, PagePreviewProps } from '../../../src/react/index.js'

const url = 'https://example.com/'

describe('<page-preview> in plain TypeScript', () => {
  it('is the type of elements that are created and queried by its name', () => {
    expectTypeOf<HTMLElementTagNameMap['page-preview']>().toEqualTypeOf<PagePreviewElement>()
    expectTypeOf(document.createElement('page-preview')).toEqualTypeOf<PagePreviewElement>()
    expectTypeOf(document.querySelector('page-preview')).toEqualTypeOf<PagePreviewElement | null>()
  })

  it('has the parameters of each group as attributes', () => {
    expectTypeOf<PreviewAttributes['variant-width']>().toEqualTypeOf<number | `${number}` | undefined>()
    expectTypeOf<PreviewAttributes['variant-max-side']>().toEqualTypeOf<number | `${number}` | undefined>()
    expectTypeOf<PreviewAttributes['variant-max-bytes']>().toEqualTypeOf<number | `${number}` | undefined>()
    expectTypeOf<PreviewAttributes['variant-type']>().toEqualTypeOf<'jpg' | 'png' | 'webp' | 'avif' | undefined>()
    expectTypeOf<PreviewAttributes['viewport-width']>().toEqualTypeOf<number | `${number}` | undefined>()
    expectTypeOf<PreviewAttributes['overlay-browser']>().toEqualTypeOf<'light' | 'dark' | undefined>()
  })

  it('has parameters and options as properties, with the types that they have everywhere', () => {
    expectTypeOf<PagePreviewElement['screenshot']>().toEqualTypeOf<PageQuery['screenshot']>()
    expectTypeOf<PagePreviewElement['staleTtl']>().toEqualTypeOf<PageQuery['staleTtl']>()
    expectTypeOf<PagePreviewElement['click']>().toEqualTypeOf<HTMLElement['click']>()
    expectTypeOf<PreviewConfig['click']>().toEqualTypeOf<PageQuery['click']>()
    expectTypeOf<PreviewOptions>().toEqualTypeOf<Pick<PagePreviewProps & AppSettings, keyof PreviewOptions>>()
    const element = {} as PagePreviewElement
    element.screenshot = { fullPage: true }
    element.query = { url, click: '#more', endpoint: 'https://previews.example.com' }
    // @ts-expect-error: no such layout
    element.layout = 'tower'
    // @ts-expect-error: not a parameter
    element.query = { url, colour: 'red' }
  })

  it('dispatches events with a typed detail, wherever the listener is', () => {
    document.addEventListener('page-preview:load', (event) => expectTypeOf(event.detail).toEqualTypeOf<LoadDetail>())
    const element = {} as PagePreviewElement
    element.addEventListener('page-preview:error', ({ detail }) => expectTypeOf(detail).toEqualTypeOf<PageError>())
    element.addEventListener('page-preview:refresh', ({ detail }) =>
      expectTypeOf(detail).toEqualTypeOf<RefreshDetail>(),
    )
  })

  it('comes with the script, which may still be a queue', () => {
    const script = window.PagePreview
    if (script && 'version' in script) {
      expectTypeOf(script.render('main', { url })).toEqualTypeOf<PagePreviewElement>()
      script.on('error', ({ detail }) => expectTypeOf(detail).toEqualTypeOf<PageError>())
      // @ts-expect-error: there is no such event
      script.on('loaded', () => undefined)
    }
    script?.q.push(['configure', { theme: 'dark' }])
    // @ts-expect-error: a queued call has the arguments of its function
    script?.q.push(['configure', { theme: 'pink' }])
  })
})

describe('its attributes', () => {
  it('are the parameters in kebab-case, options of screenshot with and without that prefix', () => {
    expectTypeOf<PreviewAttributes['full-page']>().toEqualTypeOf<PreviewAttributes['screenshot-full-page']>()
    expectTypeOf<PreviewAttributes['screenshot-type']>().toEqualTypeOf<'jpg' | 'png' | 'webp' | 'avif' | undefined>()
    expectTypeOf<'screenshot-element' | 'viewport-device-scale-factor' | 'overlay-browser'>().toExtend<
      keyof PreviewAttributes
    >()
    expectTypeOf<'fullPage' | 'screenshot.full-page' | 'messages' | 'data'>().not.toExtend<keyof PreviewAttributes>()
  })

  it('are text, numbers and booleans', () => {
    const attributes: PreviewAttributes = {
      url,
      screenshot: '',
      'full-page': true,
      quality: '90',
      history: 3,
      'screenshot-history': '3',
      'viewport-width': 800,
      'stale-ttl': '1h',
      click: '#more',
      'meta-title': true,
      'ping-audio': 'false',
      'headers-accept-language': 'de',
      'refresh-interval': 60_000,
      layout: 'row',
      'image-details': 'off',
    }
    // @ts-expect-error: an attribute is no object
    const object: PreviewAttributes = { screenshot: { fullPage: true } }
    // @ts-expect-error: no such layout
    const layout: PreviewAttributes = { layout: 'tower' }
    expectTypeOf([attributes, object, layout]).toEqualTypeOf<PreviewAttributes[]>()
  })
})

describe('the element in the markup of', () => {
  it('React', () => {
    const listening = { 'onpage-preview:load': ({ detail }: CustomEvent<LoadDetail>) => void detail.title }
    const card = (
      <page-preview
        url={url}
        screenshot
        full-page="true"
        overlay-browser="dark"
        className="card"
        ref={(element) => void element?.query}
        {...listening}
      >
        <a href={url}>Example</a>
      </page-preview>
    )
    // @ts-expect-error: no such layout
    const layout = <page-preview url={url} layout="tower" />
    // @ts-expect-error: until the script has loaded, React would render "[object Object]"
    const object = <page-preview url={url} screenshot={{ fullPage: true }} />
    expectTypeOf([card, layout, object]).toBeArray()
    expectTypeOf<ComponentProps<'page-preview'>['theme']>().toEqualTypeOf<PagePreviewProps['theme']>()
  })

  it('Vue', () => {
    type Props = InstanceType<GlobalComponents['page-preview']>['$props']
    expectTypeOf({
      url,
      fullPage: true,
      'full-page': true,
      class: 'card',
      headersAcceptLanguage: 'de',
    }).toExtend<Props>()
    expectTypeOf({ layout: 'tower' }).not.toExtend<Props>()
    type Emit = InstanceType<GlobalComponents['page-preview']>['$emit']
    expectTypeOf<Emit>().toBeCallableWith('page-preview:load', {} as CustomEvent<LoadDetail>)
  })

  it('Svelte', () => {
    type Props = SvelteHTMLElements['page-preview']
    expectTypeOf({ url, 'full-page': true, class: 'card', query: { click: ['#a', '#b'] } }).toExtend<Props>()
    expectTypeOf({ url, screenshot: { fullPage: true } }).toExtend<Props>()
    expectTypeOf({ url, screenshot: '' as const }).toExtend<Props>()
    expectTypeOf({ screenshot: { fullpage: 1 } }).not.toExtend<Props>()
    expectTypeOf<Props['onpage-preview:error']>().toEqualTypeOf<((event: CustomEvent<PageError>) => void) | undefined>()
    expectTypeOf({ layout: 'tower' }).not.toExtend<Props>()
  })

  it('Solid', () => {
    type Props = SolidJsx.IntrinsicElements['page-preview']
    expectTypeOf({ url, 'full-page': true, class: 'card', 'prop:query': { click: '#a' } }).toExtend<Props>()
    expectTypeOf({ url, 'prop:screenshot': { fullPage: true } }).toExtend<Props>()
    expectTypeOf({ 'prop:screenshot': 'large' }).not.toExtend<Props>()
    expectTypeOf({ layout: 'tower' }).not.toExtend<Props>()
  })
})
