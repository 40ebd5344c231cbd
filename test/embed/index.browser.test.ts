import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { PreviewScript, QueuedCall, RefreshDetail } from '../../src/embed/element/index.js'
import { createFakeService } from '../../src/testing/index.js'
import { FAILED_PAGES } from '../shared/failed-pages.js'
import { fakeService, page, screenshot, TARGET, type FakeService } from '../react/fake-service.js'
import imageUrl from '../react/images/old.png?url'

const data = { ...page, screenshot: { ...screenshot, url: imageUrl, width: 1280, height: 800 } }
let service: FakeService
let script: PreviewScript

beforeAll(async () => {
  // What a page may do before the script has loaded.
  const place = document.createElement('div')
  place.id = 'early'
  document.body.append(place)
  const fetch: typeof globalThis.fetch = (...request) => service.fetch(...request)
  service = fakeService({ data })
  const q: QueuedCall[] = [
    ['configure', { fetch, endpoint: '/service' }],
    ['render', '#early', { url: TARGET, screenshot: true }],
  ]
  window.PagePreview = { q }
  await import('../../src/embed/index.js')
  script = loadedScript()
})
beforeEach(() => {
  service = fakeService({ data })
})
afterEach(() => {
  document.body.replaceChildren()
})

function loadedScript(): PreviewScript {
  if (window.PagePreview && 'scan' in window.PagePreview) return window.PagePreview
  throw new Error('The script did not replace the stub.')
}
const until = <T>(check: () => T) => vi.waitFor(check, { timeout: 15_000, interval: 10 })
const put = (html: string) => {
  document.body.insertAdjacentHTML('beforeend', html)
  return document.body.querySelector<HTMLElement>('page-preview')!
}
const part = (element: Element, selector = '.page-preview') => element.shadowRoot!.querySelector<HTMLElement>(selector)!
/** `normal` if nothing declares it: light. */
const themeOf = (element: Element) => getComputedStyle(part(element)).colorScheme
const untilState = (element: Element, state: string) => until(() => expect(part(element).dataset.status).toBe(state))
// Each test has its own URL, because the script caches results.
let count = 0
const nextUrl = () => `https://page-${++count}.example/`

describe('the element', () => {
  it('runs the calls that were queued before the script had loaded', async () => {
    expect(script.version).toMatch(/^\d+\.\d+\.\d+/)
    const element = document.querySelector('#early page-preview')!
    await untilState(element, 'ready')
    expect(part(element, '.pp-title').textContent).toBe('How a tide table is made')
  })

  it('renders a card from its attributes', async () => {
    const url = nextUrl()
    const element = put(`<page-preview url="${url}" screenshot element="#main" layout="row"></page-preview>`)
    await untilState(element, 'ready')
    expect(part(element).dataset.layout).toBe('row')
    expect(Object.fromEntries(service.requests[0]!.searchParams)).toEqual({ url, element: '#main' })
    expect(service.requests[0]!.pathname).toBe('/service')
    const image = part(element, 'img.pp-image')
    await until(() => expect((image as HTMLImageElement).naturalWidth).toBe(1280))
  })

  it('shows the embedded image before any response', async () => {
    service.respondWith({ after: new Promise(() => {}) })
    const element = document.createElement('page-preview')
    // The URL of an image: if it failed to load, it would be removed.
    element.query = { url: nextUrl(), screenshot: true, embed: true, endpoint: imageUrl }
    document.body.append(element)
    await until(() => expect(part(element, 'img.pp-image').getAttribute('src')).toContain(`${imageUrl}?embed=true`))
    expect(part(element).dataset.status).toBe('loading')
  })

  it('takes URL and text from its link, and keeps the link for readers without JavaScript', async () => {
    service.respondWith({ error: { status: 403, code: 'EFORBIDDENURL' } })
    const url = nextUrl()
    const element = put(`<page-preview><a href="${url}">My words</a></page-preview>`)
    await untilState(element, 'failed')
    expect(part(element, '.pp-link').textContent).toBe('My words')
    expect(part(element, '.pp-link').getAttribute('href')).toBe(url)
    expect(element.querySelector('a')?.isConnected).toBe(true)
    await until(() =>
      expect(part(element, '.pp-description').textContent).toBe('No preview: this address is not public.'),
    )
  })

  it('takes the URL of its link if its own is relative, and text without a link', async () => {
    const url = nextUrl()
    const element = put(`<page-preview url="/about"><a href="${url}">About</a></page-preview>`)
    await untilState(element, 'ready')
    expect(part(element, '.pp-link').getAttribute('href')).toBe(url)
    element.remove()
    const chip = put(`<p>See <page-preview layout="inline" url="${url}"> the <b>docs</b> </page-preview></p>`)
    await untilState(chip, 'ready')
    expect(part(chip).textContent).toMatch(/the docs$/)
  })

  it.each(['de_DE', '', 'no language', 'de-DE'])('renders a card for the locale "%s"', async (locale) => {
    const element = put(`<page-preview url="${nextUrl()}" screenshot locale="${locale}"></page-preview>`)
    await untilState(element, 'ready')
    expect(part(element, '.pp-image-details').textContent).toContain(locale.startsWith('de') ? '53,3' : '53.3')
  })

  it('is a card if there is no such layout, and says so once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const element = put(`<page-preview url="${nextUrl()}" screenshot layout="towre"></page-preview>`)
    await untilState(element, 'ready')
    element.setAttribute('lang', 'en')
    expect(part(element).dataset.layout).toBe('card')
    // Without the messages of React, which the built script does not have.
    const warnings = () => warn.mock.calls.flat().filter((text) => !String(text).includes('<PagePreview>'))
    await until(() =>
      expect(warnings()).toEqual([
        'page-preview: Unknown layout "towre"; showing a card instead. The layouts are card, row, image and inline.',
      ]),
    )
    warn.mockRestore()
  })

  it('drops a parameter that a framework has written as an attribute, and unsets as a property', async () => {
    const element = put(`<page-preview url="${nextUrl()}" screenshot imagedetails="off"></page-preview>`)
    await untilState(element, 'ready')
    const details = () => element.shadowRoot!.querySelector('.pp-image-details')
    expect(details()).toBeNull()
    Object.assign(element, { imageDetails: undefined })
    await until(() => expect(details()).not.toBeNull())
  })

  it('warns of unknown attributes of the element and of a marked link, and of a key, once for each name', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const warnings = () => log.mock.calls.flat().filter((text) => /attribute|API key/.test(String(text)))
    const html =
      () => `<page-preview url="${nextUrl()}" screnshot endpoint="https://a.example" class="a" id="b" style="color: red" tabindex="0" aria-label="c" data-d="e"
      onclick="f" color-schemes="light dark"></page-preview>
      <a href="${nextUrl()}" data-page-preview data-layuot="row" data-track-id="7" data-v-7ba5bd90 class="g">Words</a>
      <page-preview url="${nextUrl()}" headers-api-key="pp_secret"></page-preview>`
    await untilState(put(html()), 'ready')
    await until(() => expect(warnings()).toHaveLength(4))
    document.body.replaceChildren()
    await untilState(put(html()), 'ready')
    expect(warnings().map(String).toSorted()).toEqual([
      expect.stringContaining('An API key in a page can be read and used by everybody.'),
      'page-preview: Unknown attribute "data-layuot". Did you mean data-layout?',
      'page-preview: Unknown attribute "endpoint". Did you mean data-endpoint of the script tag?',
      'page-preview: Unknown attribute "screnshot". Did you mean screenshot?',
    ])
    log.mockRestore()
  })

  it.each([
    ['an attribute', (url: string) => put(`<page-preview url="${url}" screenshot image-details="off"></page-preview>`)],
    [
      'an attribute of its link',
      (url: string) =>
        put(
          `<page-preview screenshot><a href="${url}" data-page-preview data-image-details="off">Facts</a></page-preview>`,
        ),
    ],
    [
      'a property with the text of the attribute',
      (url: string) =>
        Object.assign(put(`<page-preview url="${url}" screenshot></page-preview>`), { imageDetails: 'off' }),
    ],
    [
      'CSS',
      (url: string) => put(`<page-preview url="${url}" screenshot style="--pp-image-details: none"></page-preview>`),
    ],
  ])('hides the image details by %s', async (_, putElement) => {
    const element = putElement(nextUrl())
    await untilState(element, 'ready')
    const details = element.shadowRoot!.querySelector<HTMLElement>('.pp-image-details')
    expect(details?.offsetParent ?? null).toBeNull()
  })

  it('renders again when its attributes change', async () => {
    const element = put(`<page-preview url="${nextUrl()}"></page-preview>`)
    await untilState(element, 'ready')
    const url = nextUrl()
    element.setAttribute('url', url)
    await until(() => expect(part(element, '.pp-link').getAttribute('href')).toBe(url))
    element.setAttribute('layout', 'image')
    await until(() => expect(part(element).localName).toBe('figure'))
  })

  it('aborts its request when it is removed, and requests again when it is inserted anew', async () => {
    service.respondWith({ data, after: new Promise(() => {}) })
    const element = put(`<page-preview url="${nextUrl()}"></page-preview>`)
    await until(() => expect(service.signals).toHaveLength(1))
    element.remove()
    await until(() => expect(service.signals[0]!.aborted).toBe(true))
    service.respondWith({ data })
    document.body.append(element)
    await untilState(element, 'ready')
  })

  it('isolates its styles from the page’s styles', async () => {
    document.head.insertAdjacentHTML('beforeend', '<style id="hostile">a, article { display: none !important }</style>')
    const element = put(`<p class="pp-title">Mine</p><page-preview url="${nextUrl()}"></page-preview>`)
    await untilState(element, 'ready')
    expect(getComputedStyle(part(element)).display).toBe('flex')
    expect(getComputedStyle(part(element)).borderRadius).toBe('14px')
    expect(getComputedStyle(part(element, '.pp-link')).display).not.toBe('none')
    expect(getComputedStyle(document.querySelector('p')!).fontWeight).toBe('400')
    document.querySelector('#hostile')!.remove()
  })

  it('takes the font of the page but no text effects, which an inline preview inherits', async () => {
    document.head.insertAdjacentHTML(
      'beforeend',
      `<style id="loud">body { font: small-caps italic 20px/4 monospace; letter-spacing: 3px; text-indent: 40px; text-shadow: 1px 1px red;
        text-transform: uppercase; word-break: break-all; word-spacing: 20px; -webkit-text-fill-color: red }</style>`,
    )
    const looks = async (layout: string) => {
      document.body.replaceChildren()
      const element = put(`<page-preview url="${nextUrl()}" layout="${layout}"></page-preview>`)
      await untilState(element, 'ready')
      const style = getComputedStyle(part(element, layout === 'inline' ? '.page-preview' : '.pp-title'))
      const { fontFamily, fontVariant, letterSpacing, textIndent, textShadow, textTransform, wordBreak, wordSpacing } =
        style
      expect(style.webkitTextFillColor === style.color).toBe(layout !== 'inline')
      return { fontFamily, fontVariant, letterSpacing, textIndent, textShadow, textTransform, wordBreak, wordSpacing }
    }
    const quiet = {
      fontFamily: 'monospace',
      fontVariant: 'normal',
      letterSpacing: 'normal',
      textIndent: '0px',
      textShadow: 'none',
      textTransform: 'none',
      wordBreak: 'normal',
      wordSpacing: '0px',
    }
    for (const layout of ['card', 'row', 'image']) expect(await looks(layout)).toEqual(quiet)
    expect(await looks('inline')).toMatchObject({ textTransform: 'uppercase', letterSpacing: '3px', textIndent: '0px' })
    document.querySelector('#loud')!.remove()
  })

  it('takes the theme of the page', async () => {
    const element = put(`<div data-theme="dark"><page-preview url="${nextUrl()}"></page-preview></div>`)
    await untilState(element, 'ready')
    expect(part(element).dataset.theme).toBe('dark')
    expect(getComputedStyle(part(element)).colorScheme).toBe('dark')
  })

  it('takes the theme outside of the shadow root that it is in', async () => {
    document.body.innerHTML = '<div data-theme="dark"><section></section></div>'
    const shadow = document.querySelector('section')!.attachShadow({ mode: 'open' })
    shadow.innerHTML = `<div data-theme="auto"><page-preview url="${nextUrl()}"></page-preview></div>`
    script.scan(shadow)
    const element = shadow.querySelector('page-preview')!
    await untilState(element, 'ready')
    expect(part(element).dataset.theme).toBe('dark')
    document.querySelector('div')!.dataset.theme = 'light'
    await until(() => expect(part(element).dataset.theme).toBe('light'))
  })
})

describe('the page around it', () => {
  it('changes the theme of an open preview with the switch of the page', async () => {
    const element = put(`<page-preview url="${nextUrl()}"></page-preview>`)
    await untilState(element, 'ready')
    const theme = () => themeOf(element)
    const root = document.documentElement
    root.className = 'dark'
    await until(() => expect(theme()).toBe('dark'))
    root.className = ''
    root.dataset.theme = 'light'
    await until(() => expect(theme()).toBe('light'))
    delete root.dataset.theme
    root.style.colorScheme = 'dark'
    await until(() => expect(theme()).toBe('dark'))
    root.removeAttribute('style')
    await until(() => expect(theme()).toBe('normal'))
    root.setAttribute('theme', 'dark')
    await until(() => expect(theme()).toBe('dark'))
    root.removeAttribute('theme')
    await until(() => expect(theme()).toBe('normal'))
  })

  it('can move an element without a second request', async () => {
    const element = put(`<div><page-preview url="${nextUrl()}"></page-preview></div>`)
    await untilState(element, 'ready')
    const shown = part(element)
    document.body.append(element)
    await new Promise(requestAnimationFrame)
    expect(part(element)).toBe(shown)
    expect(service.requests).toHaveLength(1)
  })

  it('keeps the focus on the link when a preview comes near the viewport', async () => {
    const url = nextUrl()
    const element = put(`<div style="height: 3000px"></div><page-preview url="${url}">Far</page-preview>`)
    await until(() => expect(part(element, 'a')).not.toBeNull())
    const link = part(element, 'a')
    expect(service.requests).toHaveLength(0)
    link.focus()
    await untilState(element, 'ready')
    await until(() => expect(element.shadowRoot?.activeElement?.getAttribute('href')).toBe(url))
    expect(link.isConnected).toBe(false)
  })

  it('uses the theme of the page for `auto`, also from a `<meta>`', async () => {
    const element = put(`<div data-theme="dark"><page-preview url="${nextUrl()}" theme="auto"></page-preview></div>`)
    await untilState(element, 'ready')
    expect(part(element).dataset.theme).toBe('dark')
    document.body.replaceChildren()
    document.head.insertAdjacentHTML('beforeend', '<meta name="color-scheme" content="only dark">')
    const other = put(`<page-preview url="${nextUrl()}"></page-preview>`)
    await untilState(other, 'ready')
    expect(getComputedStyle(part(other)).backgroundColor).toMatch(/^color\(srgb 0\.1/)
    document.querySelector('meta[name=color-scheme]')!.remove()
  })

  it('observes a theme switch of any name, and one on another body', async () => {
    document.head.insertAdjacentHTML('beforeend', '<style id="own">[data-bs-theme=dark] { color-scheme: dark }</style>')
    const element = put(`<page-preview url="${nextUrl()}"></page-preview>`)
    await untilState(element, 'ready')
    document.documentElement.setAttribute('data-bs-theme', 'dark')
    await until(() => expect(themeOf(element)).toBe('dark'))
    document.documentElement.removeAttribute('data-bs-theme')
    await until(() => expect(themeOf(element)).toBe('normal'))
    const { body } = document
    document.body = document.createElement('body')
    document.body.append(element)
    await new Promise(requestAnimationFrame)
    document.body.className = 'dark'
    await until(() => expect(themeOf(element)).toBe('dark'))
    document.body = body
    document.querySelector('#own')!.remove()
  })

  describe('that declares no theme', () => {
    it.each([
      ['rgb(0, 0, 0)', 'dark'],
      ['#666', 'dark'],
      ['#999', 'light'],
      ['oklch(0.3 0.1 260)', 'dark'],
      ['oklab(0.9 0 0)', 'light'],
      ['lab(20 0 0)', 'dark'],
      ['color(display-p3 0.1 0.1 0.2)', 'dark'],
      ['rgb(0 0 0 / 0.9)', 'dark'],
      ['rgb(0 0 0 / 0.1)', 'normal'],
      ['linear-gradient(#fff, #000)', 'light'],
      ['url("x?rgb(0,0,0)") #fff', 'light'],
    ])('suits what is painted behind it: %s', async (background, theme) => {
      const element = put(
        `<div style='background: ${background}'><page-preview url="${nextUrl()}"></page-preview></div>`,
      )
      await untilState(element, 'ready')
      expect(themeOf(element)).toBe(theme)
    })

    it('suits what is painted later: by a class, after a transition, by a style sheet', async () => {
      const element = put(`<style>.night { background: #000 } .slow { transition: background-color 0.1s }</style>
        <div><p><page-preview url="${nextUrl()}"></page-preview></p></div>`)
      await untilState(element, 'ready')
      expect(themeOf(element)).toBe('normal')
      const around = element.closest('div')!
      around.className = 'night'
      await until(() => expect(themeOf(element)).toBe('dark'))
      around.className = 'slow'
      await until(() => expect(themeOf(element)).toBe('normal'))
      around.className = 'slow night'
      await until(() => expect(themeOf(element)).toBe('dark'))
      around.className = ''
      await until(() => expect(themeOf(element)).toBe('normal'))
      const sheet = document.createElement('link')
      sheet.rel = 'stylesheet'
      sheet.href = 'data:text/css,body%7Bbackground:%23000%7D'
      document.body.append(sheet)
      await until(() => expect(themeOf(element)).toBe('dark'))
    })

    it('suits what is painted around the shadow root that it is in', async () => {
      document.body.innerHTML = '<section style="background: #000"></section>'
      const shadow = document.querySelector('section')!.attachShadow({ mode: 'open' })
      shadow.innerHTML = `<page-preview url="${nextUrl()}"></page-preview>`
      script.scan(shadow)
      const element = shadow.querySelector('page-preview')!
      await untilState(element, 'ready')
      expect(themeOf(element)).toBe('dark')
    })

    it('leaves the theme to a declared color-scheme', async () => {
      const element = put(
        `<div style="background: #000; color-scheme: light"><page-preview url="${nextUrl()}"></page-preview></div>`,
      )
      await untilState(element, 'ready')
      expect(themeOf(element)).toBe('light')
    })
  })

  it('shows nothing of hidden elements', async () => {
    const url = nextUrl()
    put(`<page-preview url="${url}" hidden></page-preview><p><a href="${url}" data-page-preview hidden>Words</a></p>`)
    script.scan()
    const displays = () => [...document.querySelectorAll('page-preview')].map((one) => getComputedStyle(one).display)
    await until(() => expect(document.querySelector('page-preview')).not.toBeNull())
    expect(displays().every((display) => display === 'none')).toBe(true)
  })

  it('does not break a line around previews that the page has configured as inline', async () => {
    const element = put(`<p>See <page-preview url="${nextUrl()}">this</page-preview> or that.</p>`)
    await untilState(element, 'ready')
    expect(getComputedStyle(element).display).toBe('block')
    script.configure({ layout: 'inline' })
    await until(() => expect(getComputedStyle(element).display).toBe('inline'))
    script.configure({ layout: undefined })
    await until(() => expect(getComputedStyle(element).display).toBe('block'))
  })

  it('renders again when a marked link changes', async () => {
    put(`<p><a href="${nextUrl()}" data-page-preview>Words</a></p>`)
    const element = await until(() => {
      expect(document.querySelector('page-preview')).not.toBeNull()
      return document.querySelector('page-preview')!
    })
    await untilState(element, 'ready')
    const link = document.querySelector('a')!
    const url = nextUrl()
    Object.assign(link, { href: url })
    await until(() => expect(part(element, '.pp-link').getAttribute('href')).toBe(url))
    link.dataset.layout = 'row'
    await until(() => expect(part(element).dataset.layout).toBe('row'))
  })

  it('moves and goes with its link, which can be marked again', async () => {
    put(`<p><a href="${nextUrl()}" data-page-preview>Words</a></p><footer></footer>`)
    const link = document.querySelector('a')!
    await until(() => expect(link.nextElementSibling?.localName).toBe('page-preview'))
    await untilState(link.nextElementSibling!, 'ready')
    document.querySelector('footer')!.append(link)
    await until(() => expect(document.querySelector('footer > a + page-preview')).not.toBeNull())
    expect(document.querySelectorAll('page-preview')).toHaveLength(1)
    delete link.dataset.pagePreview
    await until(() => expect(document.querySelector('page-preview')).toBeNull())
    expect(link.checkVisibility()).toBe(true)
    link.dataset.pagePreview = ''
    script.scan()
    await until(() => expect(document.querySelector('footer > a + page-preview')).not.toBeNull())
    link.remove()
    await until(() => expect(document.querySelector('page-preview')).toBeNull())
  })

  it('lets a framework insert nodes before a marked link, and remove it', async () => {
    const list = document.createElement('p')
    const links = [nextUrl(), nextUrl()].map((href) =>
      Object.assign(document.createElement('a'), { href, textContent: 'Words' }),
    )
    for (const link of links) link.dataset.pagePreview = ''
    list.append(...links)
    document.body.append(list)
    const isShown = (link: Element) => until(() => expect(link.matches(':has(+ page-preview)')).toBe(true))
    await isShown(links[1]!)
    const [first, second] = links as [HTMLAnchorElement, HTMLAnchorElement]
    list.insertBefore(second, first)
    list.insertBefore(document.createElement('hr'), first)
    for (const link of links) await isShown(link)
    await until(() => expect(list.querySelectorAll('page-preview')).toHaveLength(2))
    list.removeChild(second)
    await until(() => expect(list.querySelectorAll('page-preview')).toHaveLength(1))
    expect(first.checkVisibility()).toBe(false)
  })

  it('hides a link while it has a preview, in a shadow root too, and both when the page hides the link', async () => {
    const section = document.createElement('section')
    document.body.append(section)
    const shadow = section.attachShadow({ mode: 'open' })
    shadow.innerHTML = `<a href="${nextUrl()}" data-page-preview>Words</a>`
    script.scan(shadow)
    await until(() => expect(shadow.lastElementChild!.localName).toBe('page-preview'))
    const link = shadow.querySelector('a')!
    const preview = shadow.querySelector('page-preview')!
    await untilState(preview, 'ready')
    expect([link.checkVisibility(), preview.checkVisibility()]).toEqual([false, true])
    link.hidden = true
    expect([link.checkVisibility(), preview.checkVisibility()]).toEqual([false, false])
  })

  it('shows the link again when its preview is removed, and a clone of both as one preview', async () => {
    put(`<main><a href="${nextUrl()}" data-page-preview>Words</a></main>`)
    const main = document.querySelector('main')!
    await until(() => expect(main.lastElementChild!.localName).toBe('page-preview'))
    await untilState(main.lastElementChild!, 'ready')
    const copy = main.cloneNode(true) as Element
    main.replaceWith(copy)
    await untilState(copy.lastElementChild!, 'ready')
    expect(Array.from(copy.children, ({ localName }) => localName)).toEqual(['a', 'page-preview'])
    copy.lastElementChild!.remove()
    expect(copy.querySelector('a')!.checkVisibility()).toBe(true)
  })

  it('disappears with its link, also where the page has moved both', async () => {
    put(`<main><a href="${nextUrl()}" data-page-preview>Words</a></main><section></section>`)
    const [main, section] = [document.querySelector('main')!, document.querySelector('section')!]
    await until(() => expect(main.lastElementChild!.localName).toBe('page-preview'))
    await untilState(main.lastElementChild!, 'ready')
    section.append(...main.childNodes)
    await untilState(section.lastElementChild!, 'ready')
    section.querySelector('a')!.remove()
    await until(() => expect(section.children).toHaveLength(0))
  })

  it('leaves a marked mail link as it is', async () => {
    put(
      `<p><a href="mailto:me@shoreline.example" data-page-preview>Me</a><a href="${nextUrl()}" data-page-preview>It</a></p>`,
    )
    await until(() => expect(document.querySelectorAll('page-preview')).toHaveLength(1))
    expect(document.querySelector('a:has(+ page-preview)')!.textContent).toBe('It')
  })

  it('observes links that are added later', async () => {
    const place = document.createElement('section')
    document.body.append(place)
    const url = nextUrl()
    place.innerHTML = `<p><a href="${url}" data-page-preview>Later</a></p>`
    await until(() => expect(place.querySelector('page-preview')).not.toBeNull())
    await untilState(place.querySelector('page-preview')!, 'ready')
    expect(place.querySelectorAll('a')).toHaveLength(1)
  })
})

describe('parameters and options as properties', () => {
  it('win over attributes, set before the element is connected or after', async () => {
    const element = document.createElement('page-preview')
    Object.assign(element, { url: nextUrl(), viewport: { width: 640 }, layout: 'row' })
    element.setAttribute('layout', 'image')
    document.body.append(element)
    await untilState(element, 'ready')
    expect(part(element).dataset.layout).toBe('row')
    expect(service.requests[0]!.searchParams.get('viewport.width')).toBe('640')
    Object.assign(element, { layout: 'card' })
    await until(() => expect(part(element).dataset.layout).toBe('card'))
  })

  it('leave the members of every element alone', () => {
    const element = document.createElement('page-preview')
    let clicks = 0
    element.addEventListener('click', () => clicks++)
    element.click()
    expect(clicks).toBe(1)
  })
})

describe('a link that stays as it is', () => {
  it('opens its preview while it is hovered', async () => {
    const url = nextUrl()
    document.body.insertAdjacentHTML('beforeend', `<p><a href="${url}" data-page-preview="hover">Words</a></p>`)
    const link = document.querySelector('a')!
    await userEvent.hover(link)
    const card = await until(() => {
      const found = [...document.body.children].map(({ shadowRoot }) => shadowRoot?.querySelector('.pp-popover'))
      expect(found.find(Boolean)?.matches(':popover-open')).toBe(true)
      return found.find(Boolean)!
    })
    const [below, above] = [card.getBoundingClientRect(), link.getBoundingClientRect()]
    expect(below.top).toBeGreaterThanOrEqual(above.bottom)
    expect(Math.abs(below.left - above.left)).toBeLessThan(2)
    await userEvent.keyboard('{Escape}')
    await until(() => expect(card.isConnected).toBe(false))
    expect(link.closest('page-preview')).toBeNull()
    await userEvent.unhover(link)
  })
})

describe('the script', () => {
  it('upgrades marked links to previews, once', async () => {
    const url = nextUrl()
    put(`<p><a href="${url}" data-page-preview data-screenshot data-layout="row">Words</a></p>`)
    script.scan()
    script.scan(document.querySelector('p')!)
    await until(() => expect(document.querySelectorAll('page-preview')).toHaveLength(1))
    const previews = document.querySelectorAll('page-preview')
    await untilState(previews[0]!, 'ready')
    expect(part(previews[0]!).dataset.layout).toBe('row')
    expect(Object.fromEntries(service.requests[0]!.searchParams)).toEqual({ url, screenshot: 'true' })
    expect(document.querySelector('a:has(+ page-preview)')?.textContent).toBe('Words')
    expect(part(previews[0]!).getAttribute('aria-label')).toBe('Words')
  })

  it('calls listeners across shadow roots, until they are removed', async () => {
    const events: string[] = []
    const stops = (['load', 'error', 'refresh'] as const).map((name) =>
      script.on(name, ({ type, composed, bubbles, target }) =>
        events.push(`${type} ${composed} ${bubbles} ${(target as Element).localName}`),
      ),
    )
    await untilState(put(`<page-preview url="${nextUrl()}"></page-preview>`), 'ready')
    service.respondWith({ error: { status: 403, code: 'EFORBIDDENURL' } })
    document.body.replaceChildren()
    await untilState(put(`<page-preview url="${nextUrl()}"></page-preview>`), 'failed')
    await until(() =>
      expect(events).toEqual(['page-preview:load true true page-preview', 'page-preview:error true true page-preview']),
    )
    for (const stop of stops) stop()
    service.respondWith({ data })
    document.body.replaceChildren()
    await untilState(put(`<page-preview url="${nextUrl()}"></page-preview>`), 'ready')
    expect(events).toHaveLength(2)
  })

  it.each(FAILED_PAGES)(
    'tells listeners of a page that $name, whose link works',
    async ({ state, statusCode, error }) => {
      const url = nextUrl()
      const answers = createFakeService({ [url]: error ?? { title: 'Oops', ...(state && { state }), statusCode } })
      const details: unknown[] = []
      const stops = [
        script.on('load', ({ detail }) => details.push(detail)),
        script.on('error', ({ detail }) => details.push(detail)),
      ]
      const element = document.createElement('page-preview')
      element.query = { fetch: answers, screenshot: true }
      element.innerHTML = `<a href="${url}">The essay</a>`
      document.body.append(element)
      await until(() =>
        expect(details).toEqual([
          error ? expect.objectContaining({ code: error.code }) : expect.objectContaining({ state, statusCode }),
        ]),
      )
      const link = part(element, '.pp-link')
      expect(link.getAttribute('href')).toBe(url)
      await until(() => expect(link.textContent).toBe(state === 'consent' ? 'Oops' : 'The essay'))
      for (const stop of stops) stop()
    },
  )

  it('requests one page again', async () => {
    const refreshed = vi.fn<(event: CustomEvent<RefreshDetail>) => void>()
    const [one, other] = [nextUrl(), nextUrl()]
    await untilState(put(`<page-preview url="${one}"></page-preview>`), 'ready')
    document.body.insertAdjacentHTML('beforeend', `<page-preview url="${other}"></page-preview>`)
    await untilState(document.querySelectorAll('page-preview')[1]!, 'ready')
    const stop = script.on('refresh', refreshed)
    service.respondWith({ data: { ...data, title: 'Newer' }, timestamp: 1_800_000_000_000 })
    await script.refresh(one)
    await until(() => expect(part(document.querySelector('page-preview')!, '.pp-title').textContent).toBe('Newer'))
    expect(refreshed.mock.calls.map(([{ detail }]) => [detail.title, detail.changed])).toEqual([['Newer', ['title']]])
    expect(service.requests.map((request) => request.searchParams.get('url'))).toEqual([one, other, one])
    stop()
  })

  it('requests a page again by any spelling of its URL', async () => {
    const url = `${nextUrl()}é`
    await untilState(put(`<page-preview><a href="${url}">Words</a></page-preview>`), 'ready')
    await script.refresh(url)
    expect(service.requests).toHaveLength(2)
  })

  it('renders one preview in one target, no matter how often it is called', async () => {
    const place = document.createElement('div')
    place.innerHTML = '<a href="/link">Words</a>'
    document.body.append(place)
    const element = script.render(place, { url: nextUrl() })
    await untilState(element, 'ready')
    const url = nextUrl()
    expect(script.render(place, { url })).toBe(element)
    expect(document.querySelectorAll('page-preview')).toHaveLength(1)
    await until(() => expect(part(element, '.pp-link').getAttribute('href')).toBe(url))
    expect(element.textContent).toBe('Words')
  })

  it('throws when no element matches', () => {
    expect(() => script.render('#nowhere', { url: TARGET })).toThrow('no element matches "#nowhere"')
  })

  it('runs calls that are pushed into the queue later', async () => {
    const place = document.createElement('div')
    document.body.append(place)
    script.q.push(['render', place, { url: nextUrl() }])
    await untilState(place.querySelector('page-preview')!, 'ready')
  })
})
