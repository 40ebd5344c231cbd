import { describe, expect, it } from 'vitest'
import { chooseImage } from '../../src/card/index.js'
import type { Media, PageData, Screenshot } from '../../src/query/index.js'

const STORED = `https://service.test/images/${'a'.repeat(64)}.jpg`
const RENEWED = `https://service.test/images/${'b'.repeat(64)}.jpg`
const screenshot = (url: string) => ({ url, width: 1_000, height: 600, background_color: '#123456' }) as Screenshot
const image = { url: 'https://example.com/image.png', width: 400, height: 300 } as Media
const page = (data: Partial<PageData>) => data as PageData
const revalidated = (first: PageData) => ({ first, cache: { timestamp: 7 } })

describe('the image of a card', () => {
  it('is the screenshot before the image of the page, and none if there is neither', () => {
    expect(chooseImage(page({ screenshot: screenshot(STORED), image }))).toMatchObject({
      src: STORED,
      width: 1_000,
      height: 600,
      background: '#123456',
      isScreenshot: true,
    })
    expect(chooseImage(page({ image }))).toMatchObject({ src: image.url, isScreenshot: false })
    expect(chooseImage(page({}))).toBeUndefined()
    expect(chooseImage(undefined)).toBeUndefined()
  })

  it('has smaller variants only if the service stores it', () => {
    const { srcSet } = chooseImage(page({ screenshot: screenshot(STORED) }))!
    expect(srcSet).toBe(
      [320, 640, 960].map((width) => `${STORED}?w=${width}&type=webp ${width}w`).join() + `,${STORED}?type=webp 1000w`,
    )
    expect(chooseImage(page({ image }))!.srcSet).toBeUndefined()
  })

  it('has the same variants if the service embeds it, with any data', () => {
    const embed = { field: 'screenshot', url: 'https://service.test/?embed=true&url=https%3A%2F%2Fa.test' } as const
    const { srcSet } = chooseImage(undefined, embed)!
    const variant = (width: number) => `${embed.url}&variant.width=${width}&variant.type=webp ${width}w`
    expect(srcSet!.split(',')).toEqual([...[320, 640, 960, 1280, 1920].map(variant), `${embed.url} 2560w`])
    expect(chooseImage(page({ screenshot: screenshot(STORED) }), embed)!.srcSet).toBe(srcSet)
  })

  it.each(['keyId=k&signature=abc', 'variant.width=640', 'variant.maxSide=640', 'variant.type=avif'])(
    'has no variants beside the one URL that is signed or already a variant: %s',
    (parameters) => {
      const embed = { field: 'screenshot', url: `https://service.test/?embed=true&${parameters}` } as const
      expect(chooseImage(undefined, embed)!.srcSet).toBeUndefined()
    },
  )

  it('is the embedded one if there is one; the others stand in for it if it cannot be loaded', () => {
    const embed = { field: 'screenshot', url: 'https://service.test/?embed=screenshot.url' } as const
    expect(chooseImage(undefined, embed)).toMatchObject({ src: embed.url, fallbackSrc: undefined, width: 1_280 })
    expect(chooseImage(page({ screenshot: screenshot(STORED) }), embed)).toMatchObject({
      src: embed.url,
      fallbackSrc: STORED,
    })
  })

  it('is the image of a page that did not show its content, also if it is embedded', () => {
    const embed = { field: 'screenshot', url: 'https://service.test/?embed=screenshot.url' } as const
    const blank = page({ screenshot: null, state: 'blank', image })
    expect(chooseImage(blank)).toMatchObject({ src: image.url, isScreenshot: false })
    expect(chooseImage(blank, embed)).toMatchObject({
      src: embed.url,
      fallbackSrc: image.url,
      width: 400,
      height: 300,
      isScreenshot: false,
    })
    expect(chooseImage(page({ screenshot: null, state: 'blank', image: null }))).toBeUndefined()
  })

  it('is the new one itself after a revalidation, without variants, because it alone was decoded', () => {
    const result = revalidated(page({ screenshot: screenshot(STORED) }))
    const embed = { field: 'screenshot', url: 'https://service.test/?embed=screenshot.url' } as const
    for (const source of [undefined, embed])
      expect(chooseImage(page({ screenshot: screenshot(RENEWED) }), source, result)).toMatchObject({
        src: RENEWED,
        srcSet: undefined,
      })
  })

  it('is requested again if a revalidated image keeps its URL', () => {
    const result = revalidated(page({ image: { ...image, size: 1 } }))
    const embed = { field: 'image', url: 'https://service.test/?embed=image.url' } as const
    const chosen = chooseImage(page({ image: { ...image, size: 2 } }), embed, result)
    expect(chosen!.src).toBe(`${embed.url}&revalidated=7`)
  })
})
