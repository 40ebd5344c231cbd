import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useRef } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { cdp, page as browser, userEvent } from 'vitest/browser'
import { HoverPreview, PagePreviewProvider, type HoverPreviewProps } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { fakeService, page, screenshot, TARGET, type FakeService } from './fake-service.js'
import { painted, observeLayoutShifts } from './layout-shifts.js'
import imageUrl from './images/old.png?url'

let service: FakeService

beforeEach(async () => {
  await browser.viewport(1000, 640)
  service = fakeService({ data: { ...page, screenshot: { ...screenshot, url: imageUrl, width: 1280, height: 800 } } })
})
afterEach(async () => {
  await cleanup()
  document.body.replaceChildren()
})

const show = (props: HoverPreviewProps = {}) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PagePreviewProvider fetch={service.fetch}>
        <p style={{ paddingBlockStart: 60 }}>
          Read{' '}
          <HoverPreview screenshot {...props}>
            <a href={TARGET}>the essay</a>
          </HoverPreview>{' '}
          today. <a href="#next">Next</a>
        </p>
      </PagePreviewProvider>
    </QueryClientProvider>,
  )
const link = () => browser.getByRole('link', { name: 'the essay' })
const card = () => document.querySelector<HTMLElement>('.pp-popover')
const isOpen = () => vi.waitFor(() => expect(card()?.matches(':popover-open')).toBe(true), { timeout: 15_000 })
const isGone = () => vi.waitFor(() => expect(card()).toBeNull(), { timeout: 15_000 })
const away = () => userEvent.hover(document.body, { position: { x: 1, y: 1 } })

describe('hovering a link', () => {
  it('fetches and opens after a delay below the link, without a layout shift', async () => {
    await show()
    await painted()
    expect(service.requests).toEqual([])
    const shifts = observeLayoutShifts()
    await userEvent.hover(link())
    await isOpen()
    await vi.waitFor(() => expect(card()!.querySelector('[data-status="ready"]')).not.toBeNull())
    expect(card()!.textContent).toContain(page.title)
    const above = link().element().getBoundingClientRect()
    // Without a gap, in which the pointer would leave both.
    await vi.waitFor(() => expect(card()!.getBoundingClientRect().top).toBeCloseTo(above.bottom, 0))
    const below = card()!.getBoundingClientRect()
    expect(below.left).toBeCloseTo(above.left, 0)
    expect(below.width).toBeGreaterThan(200)
    expect(shifts.total()).toBe(0)
    shifts.stop()
    await away()
    await isGone()
  })

  it('stays open while the preview itself is hovered', async () => {
    await show()
    await userEvent.hover(link())
    await isOpen()
    await userEvent.hover(card()!)
    await painted(20)
    expect(card()).not.toBeNull()
  })

  it('closes on Escape and stays closed', async () => {
    await show()
    await userEvent.hover(link())
    await isOpen()
    await userEvent.keyboard('{Escape}')
    await isGone()
  })

  it('shows nothing to click or to focus, and no second link', async () => {
    service.respondWith({ error: { status: 403, code: 'EFORBIDDENURL' } })
    await show()
    await userEvent.hover(link())
    await isOpen()
    await vi.waitFor(() => expect(card()!.textContent).toContain('this address is not public'))
    expect(card()!.getAttribute('aria-hidden')).toBe('true')
    expect(card()!.querySelector<HTMLElement>(':scope > *')!.inert).toBe(true)
    expect(card()!.querySelector<HTMLElement>('button')?.checkVisibility()).not.toBe(true)
    const { left, top } = card()!.getBoundingClientRect()
    expect(document.elementFromPoint(left + 40, top + 40)).toBe(card())
    await userEvent.tab()
    expect(card()!.contains(document.activeElement)).toBe(false)
  })

  it('aborts the request when the pointer leaves', async () => {
    service.respondWith({ after: new Promise(() => {}) })
    await show()
    await userEvent.hover(link())
    await vi.waitFor(() => expect(service.signals).toHaveLength(1))
    await away()
    await isGone()
    expect(service.signals[0]!.aborted).toBe(true)
  })
})

describe('the keyboard', () => {
  it('opens on focus, leaves the focus in place, and closes on blur', async () => {
    await away()
    await show()
    await userEvent.tab()
    await isOpen()
    expect(document.activeElement).toBe(link().element())
    await userEvent.tab()
    await isGone()
    expect(document.activeElement?.textContent).toBe('Next')
  })
})

/** A finger, as the browser itself handles one: with `:active`, gestures and the link's menu. */
async function touch(type: 'touchStart' | 'touchEnd' | 'touchCancel', target?: Element): Promise<void> {
  const points = []
  if (target) {
    const { left, top, width, height } = target.getBoundingClientRect()
    // The page around the frame of the tests scales it.
    const frame = window.frameElement!.getBoundingClientRect()
    const scale = frame.width / innerWidth
    points.push({ x: frame.left + (left + width / 2) * scale, y: frame.top + (top + height / 2) * scale })
  }
  await cdp().send('Input.dispatchTouchEvent', { type, touchPoints: points })
}

describe('touch', () => {
  beforeEach(async () => {
    await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 })
    return () => cdp().send('Emulation.setTouchEmulationEnabled', { enabled: false })
  })

  it('opens on the first long press of each link, which does not follow it, and closes on a tap outside', async () => {
    await away()
    const article = await showArticle()
    const clicks: string[] = []
    article.addEventListener('click', ({ target, defaultPrevented }) => {
      if (target instanceof HTMLAnchorElement && !defaultPrevented) clicks.push(target.id)
    })
    const menus: boolean[] = []
    article.addEventListener('contextmenu', ({ defaultPrevented }) => menus.push(defaultPrevented))
    for (const link of article.querySelectorAll('a')) {
      await touch('touchStart', link)
      await isOpen()
      await touch('touchEnd')
      await painted(5)
      expect(card()!.matches(':popover-open')).toBe(true)
      expect(gapTo(link)).toBeLessThan(1)
      await touch('touchStart', article.querySelector('h2')!)
      await touch('touchEnd')
      await isGone()
    }
    expect(clicks).toEqual([])
    expect(menus).not.toContain(false)
  })

  it('follows a link that is tapped', async () => {
    await away()
    const article = await showArticle()
    const clicks: string[] = []
    article.addEventListener('click', (event) => {
      if (!event.defaultPrevented) clicks.push((event.target as Element).id)
      event.preventDefault()
    })
    await touch('touchStart', article.querySelector('#first')!)
    await touch('touchEnd')
    await vi.waitFor(() => expect(clicks).toEqual(['first']))
    await painted(40)
    expect(card()).toBeNull()
  })
})

/** HTML of a content management system, and previews for its links. */
async function showArticle(props: HoverPreviewProps = {}): Promise<HTMLElement> {
  const html = `<h2>Tides</h2><p>Read <a id="first" href="${TARGET}">the essay</a> and then
    <a id="second" href="${TARGET}#two">the other essay</a>.</p>`
  const queryClient = new QueryClient()
  function Article() {
    const article = useRef<HTMLElement>(null)
    return (
      <QueryClientProvider client={queryClient}>
        <PagePreviewProvider fetch={service.fetch}>
          <article ref={article} style={{ padding: 60 }} dangerouslySetInnerHTML={{ __html: html }} />
          <HoverPreview screenshot within={article} {...props} />
        </PagePreviewProvider>
      </QueryClientProvider>
    )
  }
  await render(<Article />)
  return document.querySelector('article')!
}

describe('links in HTML that React did not render', () => {
  it('open in turn, each with its own page, and the HTML stays as it is', async () => {
    const article = await showArticle({ delay: 50 })
    const html = article.innerHTML
    for (const [id, path] of [
      ['first', ''],
      ['second', '#two'],
    ] as const) {
      await userEvent.hover(article.querySelector(`#${id}`)!)
      await vi.waitFor(() => expect(service.requests.at(-1)?.searchParams.get('url')).toBe(`${TARGET}${path}`))
      await vi.waitFor(() => expect(gapTo(article.querySelector(`#${id}`)!)).toBeLessThan(1))
    }
    expect(article.innerHTML).toBe(html)
    await away()
    await isGone()
  })

  it('includes links that were added later', async () => {
    const article = await showArticle({ delay: 50 })
    article.insertAdjacentHTML('beforeend', `<a id="late" href="${TARGET}#late">Late</a>`)
    await userEvent.hover(article.querySelector('#late')!)
    await isOpen()
    expect(gapTo(article.querySelector('#late')!)).toBeLessThan(1)
    await away()
  })
})

/** Pixels between a link and the card, in the direction in which they are apart. */
function gapTo(link: Element): number {
  const [at, found] = [link.getBoundingClientRect(), card()!.getBoundingClientRect()]
  return Math.max(found.top - at.bottom, at.top - found.bottom, found.left - at.right, at.left - found.right)
}

describe('the sides', () => {
  it.each(['top', 'bottom', 'left', 'right'] as const)('opens without a gap at the %s', async (side) => {
    await away()
    const style = { position: 'fixed', left: 600, top: 400 } as const
    await render(
      <div style={style}>
        <HoverPreview data={page} side={side} delay={0} layout="row">
          <a href={TARGET}>the essay</a>
        </HoverPreview>
      </div>,
    )
    await userEvent.hover(link())
    await isOpen()
    const [at, found] = [link().element().getBoundingClientRect(), card()!.getBoundingClientRect()]
    const gaps = {
      top: at.top - found.bottom,
      bottom: found.top - at.bottom,
      left: at.left - found.right,
      right: found.left - at.right,
    }
    expect(gaps[side]).toBeCloseTo(0, 0)
    await away()
    await isGone()
  })

  it('opens on the opposite side if there is no space', async () => {
    await away()
    await render(
      <div style={{ position: 'fixed', left: 0, bottom: 0 }}>
        <HoverPreview data={page} delay={0}>
          <a href={TARGET}>the essay</a>
        </HoverPreview>
      </div>,
    )
    await userEvent.hover(link())
    await isOpen()
    expect(card()!.getBoundingClientRect().bottom).toBeCloseTo(link().element().getBoundingClientRect().top, 0)
    await away()
  })

  it('opens at the line of a broken link that the pointer is on, and follows it while the page scrolls', async () => {
    await away()
    await render(
      <p style={{ inlineSize: 120, marginBlockEnd: 3000 }}>
        <HoverPreview data={page} delay={0}>
          <a href={TARGET}>an essay about the tables of the tides in the north</a>
        </HoverPreview>
      </p>,
    )
    const anchor = link2().element()
    const [first] = anchor.getClientRects()
    await userEvent.hover(link2(), { position: { x: 4, y: 4 } })
    await isOpen()
    expect(anchor.getClientRects().length).toBeGreaterThan(2)
    expect(card()!.getBoundingClientRect().top).toBeCloseTo(first!.bottom, 0)
    await away()
  })
})
const link2 = () => browser.getByRole('link')

describe('delays and control', () => {
  it('waits for `delay`, and closes after `closeDelay`', async () => {
    await away()
    await show({ delay: 0, closeDelay: 100_000, data: page })
    await userEvent.hover(link())
    await isOpen()
    await away()
    await painted(30)
    expect(card()).not.toBeNull()
  })

  it('is open as the app says, and reports what the user wants', async () => {
    await away()
    const changes: boolean[] = []
    const props = { onOpenChange: (isOpen: boolean) => changes.push(isOpen), delay: 0, data: page }
    const screen = await show({ ...props, open: true })
    await isOpen()
    await userEvent.keyboard('{Escape}')
    expect(changes).toEqual([false])
    expect(card()).not.toBeNull()
    await screen.unmount()
    await show({ ...props, open: false })
    await userEvent.hover(link())
    await vi.waitFor(() => expect(changes).toEqual([false, true]))
    expect(card()?.matches(':popover-open')).not.toBe(true)
    await away()
  })
})

it('renders a link when it has no children', async () => {
  await render(<HoverPreview url={TARGET} />)
  expect(browser.getByRole('link').element().getAttribute('href')).toBe(TARGET)
})
