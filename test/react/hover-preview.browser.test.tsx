import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { page as browser, userEvent } from 'vitest/browser'
import { HoverPreview, PagePreviewProvider, type HoverPreviewProps } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { fakeService, page, screenshot, TARGET, type FakeService } from './fake-service.js'
import { painted, observeLayoutShifts } from './layout-shifts.js'
import imageUrl from './images/old.png?url'

let service: FakeService

beforeEach(() => {
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
    await vi.waitFor(() => expect(card()!.dataset.status).toBe('ready'))
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
    expect(card()!.querySelectorAll('a, button, [tabindex], div, article')).toHaveLength(0)
    expect(card()!.getAttribute('aria-hidden')).toBe('true')
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

describe('touch', () => {
  const touch = (type: string, target: Element) => {
    const event = new PointerEvent(type, { pointerType: 'touch', bubbles: type !== 'pointerenter', cancelable: true })
    target.dispatchEvent(event)
    return event
  }

  it('opens on a long press, which does not follow the link, and closes on a tap outside', async () => {
    await away()
    await show()
    const anchor = document.querySelector('.pp-hover')!
    const target = link().element()
    // React derives `pointerenter` from this event, which bubbles.
    touch('pointerover', target)
    await vi.waitFor(() =>
      expect(performance.getEntriesByType('resource').some(({ name }) => name.includes('hover-card'))).toBe(true),
    )
    await painted(5)
    touch('pointerdown', target)
    expect(touch('contextmenu', target).defaultPrevented).toBe(true)
    await isOpen()
    touch('pointerup', target)
    const click = new MouseEvent('click', { bubbles: true, cancelable: true })
    target.dispatchEvent(click)
    expect(click.defaultPrevented).toBe(true)
    expect(anchor.contains(card())).toBe(true)
    touch('pointerdown', document.body)
    await isGone()
  })
})

it('is positioned by script if the stylesheet cannot do it', async () => {
  const supports = vi.spyOn(CSS, 'supports').mockReturnValue(false)
  const style = document.createElement('style')
  style.textContent = '.pp-popover { transition: none } body { block-size: 5000px }'
  document.body.append(style)
  await away()
  await show()
  await userEvent.hover(link())
  await isOpen()
  const [below, above] = [card()!.getBoundingClientRect(), link().element().getBoundingClientRect()]
  expect(card()!.style.inset).not.toBe('')
  expect([below.top - above.bottom, below.left - above.left].map(Math.round)).toEqual([0, 0])
  style.remove()
  supports.mockRestore()
})

it('renders a link when it has no children', async () => {
  await render(<HoverPreview url={TARGET} />)
  expect(browser.getByRole('link').element().getAttribute('href')).toBe(TARGET)
})
