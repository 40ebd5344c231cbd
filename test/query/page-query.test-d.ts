import { describe, expectTypeOf, it } from 'vitest'
import {
  parseQuery,
  type fields,
  type PageQuery,
  type ScreenshotOptions,
  type ParameterName,
} from '../../src/query/index.js'

type OptionOf<Group extends string> = ParameterName extends infer Name
  ? Name extends `${Group}.${infer Option}`
    ? Option
    : never
  : never
type Choice<Name extends ParameterName> = (typeof fields)[Name] extends { values: readonly (infer Value)[] }
  ? Value
  : never

const url = 'https://example.com/'

describe('a query', () => {
  it('needs a URL and nothing else', () => {
    expectTypeOf({ url }).toExtend<PageQuery>()
    // @ts-expect-error: url is missing
    const query: PageQuery = { screenshot: true }
    expectTypeOf(query.url).toEqualTypeOf<string>()
  })

  it('cannot be changed', () => {
    const { query } = parseQuery({ url })
    // @ts-expect-error: a parsed query is read-only
    query.url = url
  })

  it('has exactly the types of its parameters', () => {
    expectTypeOf<'iphone 15 LANDSCAPE'>().toExtend<PageQuery['device']>()
    expectTypeOf<PageQuery['javascript']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<PageQuery['expires']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<PageQuery['click']>().toEqualTypeOf<string | readonly string[] | undefined>()
    expectTypeOf<PageQuery['element']>().toEqualTypeOf<string | readonly string[] | undefined>()
    expectTypeOf<ScreenshotOptions['element']>().toEqualTypeOf<string | readonly string[] | undefined>()
    expectTypeOf<[PageQuery['history'], ScreenshotOptions['history']]>().toEqualTypeOf<
      [number | undefined, number | undefined]
    >()
    expectTypeOf<ScreenshotOptions['clip']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<PageQuery['geolocation']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<PageQuery['filter']>().toEqualTypeOf<string | readonly string[] | undefined>()
    expectTypeOf<PageQuery['headers']>().toEqualTypeOf<Readonly<Record<string, string>> | undefined>()
    expectTypeOf<PageQuery['meta']>().toEqualTypeOf<boolean | Readonly<Record<string, boolean>> | undefined>()
    expectTypeOf<PageQuery['waitUntil']>().toEqualTypeOf<
      'auto' | 'load' | 'domcontentloaded' | 'networkidle' | undefined
    >()
    expectTypeOf<ScreenshotOptions['type']>().toEqualTypeOf<'jpg' | 'png' | 'webp' | 'avif' | undefined>()
    expectTypeOf<ScreenshotOptions['quality']>().toEqualTypeOf<number | undefined>()
  })

  it('accepts durations in milliseconds and with a unit', () => {
    expectTypeOf({ url, ttl: '90s', timeout: 5_000, waitForTimeout: '1.5 minutes' } as const).toExtend<PageQuery>()
    expectTypeOf({ url, ttl: '31d', staleTtl: false } as const).toExtend<PageQuery>()
    expectTypeOf<'90' | '90 secs' | '2h' | '500ms' | '1 day'>().toExtend<PageQuery['ttl']>()
    // @ts-expect-error: a duration begins with a number
    const word: PageQuery = { url, ttl: 'soon' }
    // @ts-expect-error: bananas are no unit
    const fruit: PageQuery = { url, ttl: '24 bananas' }
    expectTypeOf([word, fruit]).toEqualTypeOf<PageQuery[]>()
  })

  it('accepts only false and durations as staleTtl, only durations as ttl', () => {
    // @ts-expect-error: true is not a duration
    const stale: PageQuery = { url, staleTtl: true }
    // @ts-expect-error: every result has a ttl
    const fresh: PageQuery = { url, ttl: false }
    expectTypeOf([stale, fresh]).toEqualTypeOf<PageQuery[]>()
  })

  it('accepts only file types that can be encoded', () => {
    expectTypeOf({ url, screenshot: { type: 'avif', fullPage: true } } as const).toExtend<PageQuery>()
    // @ts-expect-error: no gif
    const query: PageQuery = { url, screenshot: { type: 'gif' } }
    expectTypeOf(query).toEqualTypeOf<PageQuery>()
  })

  it('accepts an overlay inside and beside screenshot, light or dark', () => {
    expectTypeOf({ url, overlay: { browser: 'light', background: 'red' } } as const).toExtend<PageQuery>()
    expectTypeOf({ url, screenshot: { overlay: { browser: 'dark' }, element: '#a' } } as const).toExtend<PageQuery>()
    // @ts-expect-error: neither light nor dark
    const query: PageQuery = { url, overlay: { browser: 'blue' } }
    // @ts-expect-error: an overlay is an object
    const scalar: PageQuery = { url, overlay: 'dark' }
    expectTypeOf([query, scalar]).toEqualTypeOf<PageQuery[]>()
  })

  it('has no other parameters', () => {
    // @ts-expect-error: not a parameter
    const word: PageQuery = { url, colour: 'red' }
    // @ts-expect-error: not an option of screenshot
    const option: PageQuery = { url, screenshot: { width: 800 } }
    // @ts-expect-error: dotted names are for query strings
    const dotted: PageQuery = { url, 'viewport.width': 800 }
    expectTypeOf([word, option, dotted]).toEqualTypeOf<PageQuery[]>()
  })

  it('embeds by true, html, or any path', () => {
    expectTypeOf({ url, embed: true }).toExtend<PageQuery>()
    expectTypeOf({ url, embed: 'screenshot.url' }).toExtend<PageQuery>()
    // @ts-expect-error: a path is text
    const query: PageQuery = { url, embed: 1 }
    expectTypeOf(query).toEqualTypeOf<PageQuery>()
  })

  it('can express "all but" and "only" for ping', () => {
    expectTypeOf({ url, ping: { audio: false } }).toExtend<PageQuery>()
    expectTypeOf({ url, ping: false, 'ping.audio': true }).toExtend<PageQuery>()
  })

  it('has every parameter of the table and the values of each choice', () => {
    type TopLevel = ParameterName extends infer Name ? (Name extends `${infer Group}.${string}` ? Group : Name) : never
    expectTypeOf<Exclude<keyof PageQuery, `ping.${string}`>>().toEqualTypeOf<TopLevel>()
    expectTypeOf<keyof ScreenshotOptions>().toEqualTypeOf<OptionOf<'screenshot'> | 'element' | 'overlay' | 'history'>()
    type Viewport = NonNullable<PageQuery['viewport']>
    expectTypeOf<keyof Viewport>().toEqualTypeOf<OptionOf<'viewport'>>()
    type Overlay = NonNullable<PageQuery['overlay']>
    expectTypeOf<keyof Overlay>().toEqualTypeOf<OptionOf<'overlay'>>()
    expectTypeOf<Overlay['browser']>().toEqualTypeOf<Choice<'overlay.browser'> | undefined>()
    type Variant = NonNullable<PageQuery['variant']>
    expectTypeOf<keyof Variant>().toEqualTypeOf<OptionOf<'variant'>>()
    expectTypeOf<Variant['width']>().toEqualTypeOf<Choice<'variant.width'> | undefined>()
    expectTypeOf<Variant['maxSide']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Variant['maxBytes']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Variant['tiles']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<Variant['type']>().toEqualTypeOf<Choice<'variant.type'> | undefined>()
    expectTypeOf<keyof NonNullable<PageQuery['title']>>().toEqualTypeOf<OptionOf<'title'>>()
    expectTypeOf<keyof NonNullable<PageQuery['image']>>().toEqualTypeOf<OptionOf<'image'>>()
    expectTypeOf<PageQuery['colorScheme']>().toEqualTypeOf<Choice<'colorScheme'> | undefined>()
    expectTypeOf<PageQuery['mediaType']>().toEqualTypeOf<Choice<'mediaType'> | undefined>()
  })

  it('has canonical names', () => {
    expectTypeOf<'screenshot.fullPage'>().toExtend<ParameterName>()
    expectTypeOf<'fullPage'>().not.toExtend<ParameterName>()
  })
})
