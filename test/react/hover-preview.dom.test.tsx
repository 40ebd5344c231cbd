// Covers when a hover preview fetches, opens and closes, with the time of a test.
import { act, cleanup, render } from '@testing-library/react'
import { Profiler } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { HoverPreview, PagePreviewProvider, type HoverPreviewProps } from '../../src/react/index.js'
import { Preview } from '../../src/react/parts/index.js'
import { fakeService, TARGET, type FakeService } from './fake-service.js'

let service: FakeService
let link: HTMLAnchorElement
let isOpen: boolean

// What is loaded later is there at once then.
beforeAll(() => Promise.all([import('../../src/react/hover-intent.js'), import('../../src/react/hover-card.js')]))
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  service = fakeService({ after: new Promise(() => {}) })
  isOpen = false
})
afterEach(() => {
  cleanup()
  link.remove()
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

interface ShowOptions extends Pick<HoverPreviewProps, 'render' | 'open' | 'onOpenChange'> {
  hasTouchScreen?: boolean
  states?: string[]
}

/** A link, in one of the states that CSS knows when React arrives. What loads later is not there yet. */
function mount({ hasTouchScreen = false, states = [] as string[], ...props }: ShowOptions = {}): void {
  vi.stubGlobal('navigator', { maxTouchPoints: hasTouchScreen ? 5 : 0 })
  link = document.createElement('a')
  link.href = TARGET
  document.body.append(link)
  const matches = link.matches.bind(link)
  vi.spyOn(link, 'matches').mockImplementation(
    (selector) => states.includes(selector) || (selector[0] !== ':' && matches(selector)),
  )
  render(
    <PagePreviewProvider fetch={service.fetch}>
      <HoverPreview within={{ current: link }} onOpenChange={(now) => (isOpen = now)} {...props} />
    </PagePreviewProvider>,
  )
}
async function show(options?: ShowOptions): Promise<void> {
  mount(options)
  await act(async () => {})
}
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const pointer = (type: string, pointerType = 'mouse') =>
  act(async () => void link.dispatchEvent(new PointerEvent(type, { pointerType, bubbles: true })))
/** @returns  Whether the link is followed. */
async function click(): Promise<boolean> {
  let isFollowed = false
  await act(async () => {
    isFollowed = link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  })
  return isFollowed
}

it('fetches nothing when the pointer only crosses the link', async () => {
  await show()
  await pointer('pointerover')
  await wait(50)
  await pointer('pointerout')
  await wait(1_000)
  expect([isOpen, service.requests]).toEqual([false, []])
})

it('opens nothing when the pointer that was there before only crosses the link', async () => {
  await show({ states: [':hover'] })
  await wait(100)
  await pointer('pointerout')
  await wait(1_000)
  expect(isOpen).toBe(false)
})

it('opens once the pointer has rested on the link', async () => {
  await show()
  await pointer('pointerover')
  await wait(299)
  expect(isOpen).toBe(false)
  await wait(1)
  expect(isOpen).toBe(true)
})

it.each([
  ['a mouse that hovers the link already', ':hover', false, true],
  ['the keyboard that has focused it already', ':focus-visible', false, true],
  ['a touch screen, where a link matches :hover after a tap', ':hover', true, false],
])('with %s', async (_, state, hasTouchScreen, expected) => {
  await show({ states: [state], hasTouchScreen })
  await wait(1_000)
  expect(isOpen).toBe(expected)
})

it('closes when the element that has the links is replaced', async () => {
  const within: { current: HTMLElement | null } = { current: null }
  const app = () => (
    <PagePreviewProvider fetch={service.fetch}>
      <HoverPreview within={within} onOpenChange={(now) => (isOpen = now)} />
    </PagePreviewProvider>
  )
  mount()
  within.current = link
  const { rerender } = render(app())
  await act(async () => {})
  await pointer('pointerover')
  await wait(300)
  expect(isOpen).toBe(true)
  within.current = document.createElement('p')
  rerender(app())
  expect(isOpen).toBe(false)
})

it('shows a card of the caller for the link, which is fetched at once', async () => {
  await show({
    render: (url) => (
      <Preview.Root url={url} className="own">
        <Preview.Link />
      </Preview.Root>
    ),
  })
  await pointer('pointerover')
  await wait(300)
  const card = document.querySelector('.pp-popover .own')!
  expect([card.textContent, document.querySelector('.page-preview')]).toEqual([
    'shoreline.example/essays/tide-tables',
    null,
  ])
  expect(service.requests).toHaveLength(1)
})

it('opens for a finger that is still pressed', async () => {
  const states = [':active', ':hover']
  await show({ states, hasTouchScreen: true })
  await wait(499)
  expect(isOpen).toBe(false)
  await wait(1)
  expect(isOpen).toBe(true)
})

it.each([
  ['opens for a finger that is still pressed', true],
  ['stays closed for a tap that has ended', false],
])('%s when the code that observes the link is loaded', async (_, isPressed) => {
  mount({ hasTouchScreen: true })
  link.hasPointerCapture = () => isPressed
  link.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', bubbles: true }))
  await wait(0)
  await wait(500)
  expect(isOpen).toBe(isPressed)
})

it('stays closed after a tap that has ended', async () => {
  const states = [':active', ':hover']
  await show({ states, hasTouchScreen: true })
  await wait(100)
  states.shift()
  await wait(1_000)
  expect(isOpen).toBe(false)
})

it.each([
  ['opens for a mouse', 'mouse', true],
  ['stays closed for a tap', 'touch', false],
])('on a machine with mouse and touch screen, %s that was there before', async (_, pointerType, expected) => {
  await show({ states: [':hover'], hasTouchScreen: true })
  for (let moves = 0; moves < 3; moves++) await pointer('pointermove', pointerType)
  await wait(300)
  expect(isOpen).toBe(expected)
})

it('stays closed after Escape while the pointer moves over the link', async () => {
  await show()
  await pointer('pointerover')
  await wait(300)
  await act(async () => void document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })))
  expect(isOpen).toBe(false)
  await pointer('pointermove')
  await wait(1_000)
  expect(isOpen).toBe(false)
})

it('keeps Escape from a dialog around it, only while it is open', async () => {
  let seen = 0
  const onKey = () => void seen++
  document.addEventListener('keydown', onKey, true)
  /** @returns  Whether a native dialog closes. */
  const escape = async () => {
    const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
    await act(async () => void link.dispatchEvent(event))
    return !event.defaultPrevented
  }
  await show()
  expect([await escape(), seen]).toEqual([true, 1])
  await pointer('pointerover')
  await wait(300)
  expect(isOpen).toBe(true)
  expect([await escape(), seen, isOpen]).toEqual([false, 1, false])
  expect([await escape(), seen]).toEqual([true, 2])
  document.removeEventListener('keydown', onKey, true)
})

it('leaves Escape alone when the app keeps it open', async () => {
  await show({ open: true, onOpenChange: undefined })
  const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  await act(async () => void link.dispatchEvent(event))
  expect(event.defaultPrevented).toBe(false)
})

it('renders nothing again when the page is pressed while it is closed', async () => {
  let renders = 0
  const { container, unmount } = render(
    <Profiler id="hover" onRender={() => renders++}>
      <HoverPreview url={TARGET} />
    </Profiler>,
  )
  await act(async () => {})
  const before = renders
  await act(async () => void document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })))
  expect(container.querySelector('a')).not.toBeNull()
  expect(renders).toBe(before)
  unmount()
})

it.each([
  ['followed', () => click()],
  ['removed', async () => link.remove()],
])('stays closed when the link is %s before it opens', async (_, act) => {
  await show()
  await pointer('pointerover')
  await wait(200)
  await act()
  await wait(1_000)
  expect(isOpen).toBe(false)
})

it('closes when the link is followed', async () => {
  await show()
  await pointer('pointerover')
  await wait(300)
  expect(await click()).toBe(true)
  expect(isOpen).toBe(false)
})

describe('while a long press shows the preview', () => {
  beforeEach(() => show({ hasTouchScreen: true }))

  async function press(milliseconds: number): Promise<{ isFollowed: boolean }> {
    await pointer('pointerdown', 'touch')
    await wait(milliseconds)
    await pointer('pointerup', 'touch')
    return { isFollowed: await click() }
  }

  it('its release does not follow the link, and neither does the release of another long press', async () => {
    expect(await press(600)).toEqual({ isFollowed: false })
    expect(isOpen).toBe(true)
    expect(await press(600)).toEqual({ isFollowed: false })
    expect(isOpen).toBe(true)
  })

  it('a tap follows the link and closes the preview', async () => {
    await press(600)
    expect(await press(50)).toEqual({ isFollowed: true })
    expect(isOpen).toBe(false)
  })

  it('a click follows the link after the touch has become a scroll', async () => {
    await pointer('pointerdown', 'touch')
    await wait(600)
    await pointer('pointercancel', 'touch')
    expect(isOpen).toBe(true)
    expect(await click()).toBe(true)
  })

  it('a tap on a link without a preview follows it', async () => {
    expect(await press(50)).toEqual({ isFollowed: true })
    await wait(1_000)
    expect(isOpen).toBe(false)
  })

  it('stays closed when the touch becomes a scroll before', async () => {
    await pointer('pointerdown', 'touch')
    await wait(50)
    await pointer('pointercancel', 'touch')
    await wait(1_000)
    expect([isOpen, service.requests]).toEqual([false, []])
  })

  it('opens in place of the menu of the link, when the system asks for one earlier', async () => {
    await pointer('pointerdown', 'touch')
    await wait(400)
    const menu = new MouseEvent('contextmenu', { bubbles: true, cancelable: true })
    await act(async () => void link.dispatchEvent(menu))
    await pointer('pointercancel', 'touch')
    expect([isOpen, menu.defaultPrevented]).toEqual([true, true])
  })

  it.each([
    ['a key follows the link', () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))],
    ['another pointer follows the link', () => pointer('pointerdown')],
  ])('of which the browser sends no click, %s', async (_, begin) => {
    await pointer('pointerdown', 'touch')
    await wait(600)
    await pointer('pointerup', 'touch')
    await act(async () => void (await begin()))
    expect(await click()).toBe(true)
  })

  it('leaves the menu of a mouse alone', async () => {
    const menu = new MouseEvent('contextmenu', { bubbles: true, cancelable: true })
    link.dispatchEvent(menu)
    expect(menu.defaultPrevented).toBe(false)
  })
})

describe('in an element with several links', () => {
  let area: HTMLElement

  /** The links have names, by which the pointer reaches them; one may have the focus of the keyboard. */
  async function showArea(html: string): Promise<void> {
    area = document.createElement('div')
    area.innerHTML = html
    document.body.append(area)
    link = area.querySelector('a')!
    render(
      <PagePreviewProvider fetch={service.fetch}>
        <HoverPreview within={{ current: area }} onOpenChange={(now) => (isOpen = now)} />
      </PagePreviewProvider>,
    )
    await act(async () => {})
  }
  const send = (selector: string, event: Event) =>
    act(async () => void area.querySelector(selector)!.dispatchEvent(event))
  const move = (type: string, selector: string) =>
    send(selector, new PointerEvent(type, { pointerType: 'mouse', bubbles: true }))
  const shown = () => document.querySelector('.pp-popover:not([hidden]) a')?.getAttribute('href')
  async function focus(selector: string): Promise<void> {
    const element = area.querySelector(selector)!
    const matches = element.matches.bind(element)
    vi.spyOn(element, 'matches').mockImplementation((asked) => asked.includes(':focus-visible') || matches(asked))
    await send(selector, new FocusEvent('focusin', { bubbles: true }))
  }
  afterEach(() => area.remove())

  const TWO_LINKS = `<a id="one" href="https://one.example/">One</a> <a id="two" href="https://two.example/">Two</a>`

  it('shows the card of the focused link while the pointer crosses another one', async () => {
    await showArea(TWO_LINKS)
    await focus('#one')
    await wait(300)
    expect(shown()).toBe('https://one.example/')
    await move('pointerover', '#two')
    await wait(50)
    await move('pointerout', '#two')
    await wait(1_000)
    expect(shown()).toBe('https://one.example/')
  })

  it('opens for the focus while the pointer leaves another link, as when the page scrolls', async () => {
    await showArea(TWO_LINKS)
    await move('pointerover', '#two')
    await wait(20)
    await focus('#one')
    await wait(20)
    await move('pointerout', '#two')
    await wait(300)
    expect(shown()).toBe('https://one.example/')
  })

  it('stays closed after Escape while the pointer crosses the focused link', async () => {
    await showArea(TWO_LINKS)
    await focus('#one')
    await wait(300)
    await act(async () => void document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })))
    await move('pointerover', '#one')
    await wait(200)
    await move('pointerout', '#one')
    await wait(1_000)
    expect(isOpen).toBe(false)
  })

  it.each([
    ['for mail', '<a href="mailto:a@b.example">Write</a>'],
    ['for a phone', '<a href="tel:+1">Call</a>'],
    ['of a script', '<a href="javascript:void 0">Do</a>'],
    ['in a picture', '<svg><a href="https://one.example/"><text>One</text></a></svg>'],
  ])('leaves a link %s alone', async (_, html) => {
    await showArea(html)
    await move('pointerover', 'a')
    await wait(1_000)
    expect([isOpen, service.requests]).toEqual([false, []])
  })

  it('leaves a click beside the link that was pressed for long alone', async () => {
    await showArea(`${TWO_LINKS} <input type="checkbox">`)
    for (const type of ['pointerdown', 'pointerup']) {
      await send('#one', new PointerEvent(type, { pointerType: 'touch', bubbles: true }))
      await wait(600)
    }
    const checkbox = area.querySelector('input')!
    await act(async () => checkbox.click())
    expect(checkbox.checked).toBe(true)
  })
})

it.each([
  ['an absolute URL', 'https://one.example/', 'https://one.example/'],
  ['nothing', '', undefined],
])('shows a card for a link in a picture to %s', async (_, href, expected) => {
  const { container } = render(
    <PagePreviewProvider fetch={service.fetch}>
      <HoverPreview open>
        <svg>
          <a href={href}>
            <text>One</text>
          </a>
        </svg>
      </HoverPreview>
    </PagePreviewProvider>,
  )
  await act(async () => {})
  expect(container.querySelector('.pp-popover .page-preview a')?.getAttribute('href') ?? undefined).toBe(expected)
})
