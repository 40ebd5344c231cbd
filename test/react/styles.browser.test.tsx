// Covers styles.css in a browser.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { cdp, userEvent } from 'vitest/browser'
import { PagePreview, PagePreviewProvider } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { deferred, fakeService, page, screenshot, TARGET } from './fake-service.js'
import imageUrl from './images/old.png?url'

const own = { ...page, screenshot: { ...screenshot, url: imageUrl, width: 1280, height: 800 } }
const failing = fakeService({ error: { status: 504, code: 'ETIMEOUT' } })
const forever = deferred().promise
const silent = fakeService({ after: forever })

/** Emulates media type and features; without an argument, resets them. */
const emulate = (media: { media?: string; features?: { name: string; value: string }[] } = {}) =>
  cdp().send('Emulation.setEmulatedMedia', { media: '', features: [], ...media })
const DARK = { name: 'prefers-color-scheme', value: 'dark' }

beforeEach(async () => {
  const stale = fakeService({ data: own, cache: 'STALE', timestamp: 1_000 }, { after: forever })
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <main style={{ inlineSize: 311, font: '16px/1.6 sans-serif' }}>
        <PagePreview url={TARGET} data={own} loading="eager" className="ready" />
        <PagePreview url={TARGET} data={own} theme="dark" className="dark" />
        <PagePreview url={TARGET} data={own} layout="image" className="figure" />
        <PagePreview url={TARGET} data={own} layout="inline" className="chip" />
        <PagePreview url={`${TARGET}/none`} data={{}} className="bare" />
        <PagePreviewProvider defaults={{ loading: 'eager', screenshot: true }}>
          <PagePreviewProvider fetch={silent.fetch}>
            <PagePreview url={`${TARGET}/late`} className="loading" />
          </PagePreviewProvider>
          <PagePreviewProvider fetch={stale.fetch}>
            <PagePreview url={`${TARGET}/old`} className="old" />
          </PagePreviewProvider>
          <PagePreviewProvider fetch={failing.fetch}>
            <PagePreview url={`${TARGET}/gone`} className="failed" />
          </PagePreviewProvider>
        </PagePreviewProvider>
      </main>
    </QueryClientProvider>,
  )
  for (const selector of ['.failed .pp-retry', '.old .pp-status', '.ready .pp-image:not([data-pending])'])
    await vi.waitFor(() => expect(document.querySelector(selector)).not.toBeNull(), { timeout: 15_000 })
})
afterEach(async () => {
  await emulate()
  await cleanup()
})

const element = (selector: string) => document.querySelector<HTMLElement>(selector)!
const style = (selector: string) => getComputedStyle(element(selector))

/** The text of a chip, without the letter that may be its icon. */
function letterNodes(chip: Node): Node[] {
  const iterator = document.createNodeIterator(chip, NodeFilter.SHOW_TEXT)
  const nodes: Node[] = []
  for (let node = iterator.nextNode(); node; node = iterator.nextNode())
    if (!node.parentElement?.matches('.pp-icon')) nodes.push(node)
  return nodes
}

/** A colour of the system, as this browser has it now. */
function systemColour(name: string): string {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.color = name
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** From 0, black, to 1, white, as it is painted. */
function lightness(colour: string): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d')!
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return (red + green + blue) / 3 / 255
}

describe('on a page with a theme', () => {
  const root = document.documentElement
  const around = () => element('main')
  const isDark = (selector = '.ready') => lightness(style(selector).backgroundColor) < 0.5
  afterEach(() => {
    for (const name of ['data-theme', 'theme', 'class', 'style']) root.removeAttribute(name)
  })

  it('is light if nothing is declared, also on a dark system', async () => {
    await emulate({ features: [DARK] })
    expect([isDark(), isDark('.dark')]).toEqual([false, true])
  })

  it('follows the nearest attribute, the class of the page, and color-scheme, in this order', () => {
    around().style.colorScheme = 'dark'
    expect(isDark()).toBe(true)
    root.className = 'light'
    expect(isDark()).toBe(false)
    root.dataset.theme = 'dark'
    expect(isDark()).toBe(true)
    around().setAttribute('theme', 'light')
    expect([isDark(), isDark('.dark')]).toEqual([false, true])
  })

  it('passes its theme on to light-dark() in its properties', () => {
    element('.ready').style.setProperty('--pp-background', 'light-dark(#fffdf7, #222)')
    expect(style('.ready').backgroundColor).toBe('rgb(255, 253, 247)')
    root.dataset.theme = 'dark'
    expect(style('.ready').backgroundColor).toBe('rgb(34, 34, 34)')
  })
})

it.each(['When the tide comes in', 'skerry.example/ferries', 'Donaudampfschifffahrt'])(
  'keeps the icon of the chip “%s” on the line of its first letter, in a column of any width',
  async (text) => {
    await cleanup()
    await render(
      <main style={{ font: '16px/1.6 sans-serif' }}>
        <PagePreview url={TARGET} data={own} layout="inline">
          {text}
        </PagePreview>
      </main>,
    )
    const firstLetter = document.createRange()
    const [letter] = letterNodes(element('.page-preview'))
    firstLetter.setStart(letter!, 0)
    firstLetter.setEnd(letter!, 1)
    for (let width = 60; width <= 300; width += 10) {
      element('main').style.inlineSize = `${width}px`
      const [icon, first, chip] = [element('.pp-icon'), firstLetter, element('.page-preview')].map((part) =>
        part.getBoundingClientRect(),
      )
      expect(first!.top, `${width} px`).toBeLessThan(icon!.bottom)
      // Where a line is broken, browsers let the padding stand out.
      expect(chip!.width, `${width} px`).toBeLessThan(width + 6)
    }
  },
)

describe('among the styles of a site', () => {
  const addStyles = (css: string) => {
    const sheet = Object.assign(document.createElement('style'), { textContent: css })
    document.head.append(sheet)
    return () => sheet.remove()
  }

  it('covers its space with an image of any shape, although images of the site keep theirs', () => {
    const remove = addStyles('img { max-width: 100%; height: auto }')
    element('.ready').style.setProperty('--pp-ratio', '1')
    const [image, media] = ['.ready .pp-image', '.ready .pp-media'].map((name) => element(name).offsetHeight)
    remove()
    expect(image).toBe(media)
  })

  it('takes the underline of the links of the site', () => {
    expect(style('.ready .pp-link').textDecorationLine).toBe('none')
    const remove = addStyles('main a { text-decoration: underline }')
    const line = style('.ready .pp-link').textDecorationLine
    remove()
    expect(line).toBe('underline')
  })
})

describe('among elements of an app with attributes of the same names', () => {
  /** The box of each element of the previews, and what the attributes of a preview decide besides, as text. */
  const looks = () =>
    [...document.querySelectorAll('main *')].map((part) => {
      const { animationName, backgroundColor, borderRadius, color, display, fontSize, fontWeight } =
        getComputedStyle(part)
      const { anchorScope, lineHeight, objectFit, objectPosition, position, whiteSpace } = getComputedStyle(part)
      const { x, y, width, height } = part.getBoundingClientRect()
      const box = [x, y, width, height, display, position, anchorScope, backgroundColor, borderRadius, animationName]
      const content = [color, fontSize, fontWeight, lineHeight, whiteSpace, objectFit, objectPosition]
      return [part.className, ...box, ...content].join(' | ')
    })

  it.each([
    ['data-status', 'loading'],
    ['data-layout', 'row'],
    ['data-layout', 'image'],
    ['data-fit', 'contain'],
  ])('looks the same in an element with %s="%s"', async (name, value) => {
    await vi.waitFor(() => expect(document.querySelector('.old .pp-spinner')).not.toBeNull())
    const before = looks()
    element('main').setAttribute(name, value)
    const changed = looks().filter((look, index) => look !== before[index])
    expect(changed.slice(0, 3)).toEqual([])
  })

  it('leaves the elements of the app unchanged', () => {
    const code = document.createElement('pre')
    code.dataset.layout = 'inline'
    code.innerHTML = '<code>  two\n  lines</code>'
    element('main').append(code)
    const { whiteSpace } = getComputedStyle(code.firstElementChild!)
    code.remove()
    expect(whiteSpace).toBe('pre')
  })
})

describe.each([
  ['light', []],
  ['dark', [DARK]],
])('with forced colours, %s', (_, features) => {
  beforeEach(async () => {
    await emulate({ features: [{ name: 'forced-colors', value: 'active' }, ...features] })
    expect(matchMedia('(forced-colors: active)').matches).toBe(true)
  })

  it('has a border around each card in any theme', () => {
    for (const name of ['.ready', '.dark', '.bare', '.loading', '.failed']) {
      const { borderTopColor, borderTopStyle, borderTopWidth, backgroundColor } = style(name)
      expect({ name, borderTopColor, borderTopStyle, borderTopWidth, backgroundColor }).toEqual({
        name,
        borderTopColor: systemColour('CanvasText'),
        borderTopStyle: 'solid',
        borderTopWidth: '1px',
        backgroundColor: systemColour('Canvas'),
      })
    }
  })

  it('shows links and text in the system colours for links and text', () => {
    for (const link of ['.ready .pp-title', '.failed .pp-title', '.figure .pp-link', '.chip'])
      expect(style(link).color, link).toBe(systemColour('LinkText'))
    for (const text of [
      '.ready .pp-description',
      '.ready .pp-host',
      '.bare .pp-icon',
      '.bare .pp-fallback',
      '.old .pp-status',
    ])
      expect(style(text).color, text).toBe(systemColour('CanvasText'))
  })

  it('has a retry button with a border and a label', () => {
    const { color, backgroundColor, borderTopColor, borderTopStyle } = style('.pp-retry')
    expect([color, backgroundColor]).toEqual([systemColour('ButtonText'), systemColour('ButtonFace')])
    expect([borderTopColor, borderTopStyle]).toEqual([systemColour('ButtonBorder'), 'solid'])
  })

  it('has a ring around the focused card', async () => {
    await userEvent.tab()
    expect(document.activeElement).toBe(element('.ready .pp-link'))
    const { outlineColor, outlineStyle, outlineWidth } = style('.ready')
    expect([outlineStyle, outlineWidth]).toEqual(['solid', '2px'])
    expect(lightness(outlineColor)).toBe(lightness(systemColour('CanvasText')))
  })

  it('outlines empty boxes and leaves images unchanged', () => {
    for (const empty of ['.loading .pp-media', '.loading .pp-skeleton', '.bare .pp-media'])
      expect(style(empty).outline, empty).toContain(`${systemColour('GrayText')} solid 1px`)
    expect(style('.ready .pp-image').opacity).toBe('1')
  })
})

describe.each([
  ['light', []],
  ['dark', [DARK]],
])('printed from a system with the theme %s', (_, features) => {
  beforeEach(async () => {
    await emulate({ media: 'print', features: [...features] })
    expect(matchMedia('print').matches).toBe(true)
  })

  it('is dark text on white in any theme', () => {
    for (const name of ['.ready', '.dark', '.bare', '.failed']) {
      expect(style(name).backgroundColor, name).toBe('rgb(255, 255, 255)')
      for (const part of ['.pp-title', '.pp-description', '.pp-host'])
        expect(lightness(style(`${name} ${part}`).color), `${name} ${part}`).toBeLessThan(0.4)
      expect(lightness(style(`${name} .pp-media`).backgroundColor), name).toBeGreaterThan(0.8)
    }
  })

  it('has no shadows and no animations', () => {
    for (const part of document.querySelectorAll('.page-preview, .page-preview *')) {
      const { boxShadow, animationName } = getComputedStyle(part)
      expect([part.className, boxShadow, animationName]).toEqual([part.className, 'none', 'none'])
    }
    expect(document.getAnimations()).toEqual([])
  })

  it('has no buttons and no status', () => {
    for (const gone of ['.pp-retry', '.old .pp-status']) expect(style(gone).display, gone).toBe('none')
  })

  it('prints images, also while they fade in, and the background of the letter', () => {
    const image = element('.ready .pp-image')
    expect(style('.ready .pp-image').opacity).toBe('1')
    image.toggleAttribute('data-pending', true)
    expect(style('.ready .pp-image').opacity).toBe('1')
    expect(style('.bare .pp-media').printColorAdjust).toBe('exact')
    expect(style('.bare').breakInside).toBe('avoid')
  })
})
