import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { PageChange, PageHistory, PageVersion } from '../../src/query/index.js'
import { Playground } from '../../src/playground/playground.js'
import '../../src/react/styles.css'
import '../../src/playground/base.css'
import '../../src/playground/playground.css'
import { fakeOrigin } from './fake-origin.js'

const FIRST = 'https://tern.example/'
let origin: ReturnType<typeof fakeOrigin>

beforeEach(async () => {
  await page.viewport(1440, 1000)
  history.replaceState(null, '', '#')
  origin = fakeOrigin()
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => origin.fetch(input, init))
})
afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '#')
})

async function open(hash = '') {
  history.replaceState(null, '', `#${hash}`)
  const screen = await render(<Playground />)
  const panel = screen.getByRole('region', { name: 'Request and response' })
  const run = () => userEvent.click(screen.getByRole('button', { name: /^Run/ }))
  const card = () => screen.container.querySelector<HTMLElement>('.page-preview')
  return { ...screen, panel, run, card }
}

describe('when opened', () => {
  it('shows a card of the first example, with one request', async () => {
    const { panel, getByRole, card } = await open()
    await expect.element(panel).toMatchTextContent('HIT')
    await expect.element(getByRole('textbox', { name: 'Page' })).toHaveValue(FIRST)
    await vi.waitFor(() => expect(card()?.dataset.status).toBe('ready'))
    expect(origin.requests.map(({ search }) => search)).toEqual([`?screenshot=true&url=${encodeURIComponent(FIRST)}`])
    const image = card()!.querySelector('img')!
    await vi.waitFor(() => expect(image.naturalWidth).toBe(Number(image.getAttribute('width'))))
  })

  it('shows the card above the form on a phone, and comes back to it with Run', async () => {
    await page.viewport(390, 700)
    const { getByRole, card, run } = await open()
    await vi.waitFor(() => expect(card()?.dataset.status).toBe('ready'))
    const form = getByRole('textbox', { name: 'Page' }).element()
    expect(card()!.getBoundingClientRect().bottom).toBeLessThan(form.getBoundingClientRect().top)
    await run()
    const { top, bottom } = card()!.getBoundingClientRect()
    expect(bottom > 0 && top < innerHeight).toBe(true)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  })

  it('fits into 320 pixels', async () => {
    await page.viewport(320, 700)
    const { getByRole, card, container } = await open('locale=de')
    await vi.waitFor(() => expect(card()?.dataset.status).toBe('ready'))
    await expect.element(getByRole('textbox', { name: 'locale' })).toBeVisible()
    const parts = [document.documentElement, ...container.querySelectorAll('form, form > *, .stage, .tabs')]
    expect(parts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toEqual([])
  })

  it('offers public pages when the service has no examples', async () => {
    origin.setExamples(undefined)
    const { getByRole } = await open()
    await expect.element(getByRole('button', { name: 'example.com' })).toBeVisible()
    await expect.element(getByRole('textbox', { name: 'Page' })).toHaveValue('https://example.com/')
  })

  it('restores the state of a link, without running an example', async () => {
    const { getByRole, card } = await open('url=https%3A%2F%2Fkiln.example&element=%23a&layout=row&width=240')
    await expect.element(getByRole('textbox', { name: 'Element' })).toHaveValue('#a')
    await expect.element(getByRole('radio', { name: 'Row' })).toBeChecked()
    await expect.element(getByRole('slider', { name: 'Column width' })).toHaveAttribute('aria-valuenow', '240')
    expect(card()!.dataset.layout).toBe('row')
    await vi.waitFor(() => expect(origin.requests).toHaveLength(1))
    expect(origin.requests.map(({ searchParams }) => searchParams.get('element'))).toEqual(['#a'])
  })
})

describe('running', () => {
  it('sends one request, for the same query and for a changed one', async () => {
    const { panel, run, getByRole } = await open()
    await expect.element(panel).toMatchTextContent('HIT')
    await run()
    await vi.waitFor(() => expect(origin.requests).toHaveLength(2))
    await userEvent.fill(getByRole('textbox', { name: 'Element' }), '#main')
    expect(origin.requests).toHaveLength(2)
    await run()
    await vi.waitFor(() => expect(origin.requests).toHaveLength(3))
    await expect.element(panel).toMatchTextContent('element=%23main')
    expect(origin.requests).toHaveLength(3)
  })

  it('sends a request when only a delivery parameter has changed', async () => {
    const { panel, run, getByRole, getByText } = await open()
    await expect.element(panel).toMatchTextContent('HIT')
    await userEvent.click(getByText('Device, waiting, caching, headers'))
    await userEvent.fill(getByRole('textbox', { name: 'staleTtl' }), '0')
    await run()
    await vi.waitFor(() => expect(origin.requests.at(-1)?.searchParams.get('staleTtl')).toBe('0'))
  })

  it('is started by Ctrl and Enter, and by a click on an example', async () => {
    const { panel, getByRole } = await open()
    await expect.element(panel).toMatchTextContent('HIT')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await vi.waitFor(() => expect(origin.requests).toHaveLength(2))
    await userEvent.click(getByRole('button', { name: 'kiln' }))
    await vi.waitFor(() => expect(origin.requests.at(-1)?.searchParams.get('url')).toBe('https://kiln.example/'))
    expect(origin.requests).toHaveLength(3)
  })

  it('sends no invalid query, but focuses the invalid control with its error', async () => {
    const { getByRole, getByText, run } = await open()
    await vi.waitFor(() => expect(origin.requests).toHaveLength(1))
    await userEvent.click(getByText('Device, waiting, caching, headers'))
    const width = getByRole('textbox', { name: 'viewport.width' })
    await userEvent.fill(width, 'wide')
    await expect.element(width).not.toHaveAttribute('aria-invalid')
    await userEvent.click(getByText('Device, waiting, caching, headers'))
    await run()
    await expect.element(width).toHaveFocus()
    await expect.element(width).toHaveAccessibleDescription(/viewport.width must be a whole number from 1 to 10000/)
    expect(origin.requests).toHaveLength(1)
    await userEvent.fill(width, '800')
    await expect.element(width).not.toHaveAttribute('aria-invalid')
  })

  it('completes a URL without a scheme', async () => {
    const { getByRole, run } = await open()
    const field = getByRole('textbox', { name: 'Page' })
    await userEvent.fill(field, 'harbour.example/a')
    await run()
    await expect.element(field).toHaveValue('https://harbour.example/a')
  })

  it('stores the state in the URL', async () => {
    const { getByRole } = await open()
    await userEvent.click(getByRole('radiogroup', { name: 'Layout' }).getByRole('radio', { name: 'Image' }))
    await vi.waitFor(() => expect(location.hash).toContain('layout=image'))
  })
})

describe('the response', () => {
  it.each([
    ['STALE', 'while a new result is produced in the background. The next request gets it.'],
    ['MISS', ', cached for 24 h. Used one of today’s 250 requests: 243 left.'],
  ] as const)('explains %s', async (cache, sentence) => {
    origin.setResponse({ cache })
    const { panel } = await open()
    await expect.element(panel).toMatchTextContent(sentence)
  })

  it('names the parameter that caused an error', async () => {
    const reason = { element: 'missing' }
    origin.setResponse({ status: 422, code: 'EELEMENT', message: 'Nothing matches #pricing.', data: reason })
    const { panel, card } = await open()
    await expect.element(panel).toMatchTextContent('422 EELEMENT')
    await expect.element(panel).toMatchTextContent('element: missing. Nothing matches #pricing.')
    const more = panel.getByRole('link', { name: 'About EELEMENT' })
    await expect.element(more).toHaveAttribute('href', 'errors.html#EELEMENT')
    await vi.waitFor(() => expect(card()?.dataset.status).toBe('failed'))
  })

  it('states when the rate limit resets', async () => {
    origin.setResponse({ status: 429, code: 'ERATE', message: 'Used up.', remaining: 0, retryAfterS: 22_440 })
    const { panel } = await open()
    await expect.element(panel).toMatchTextContent('0 of 250 left today. The limit resets at 00:00 UTC, in 6 h 14 m.')
  })

  it('sends the next run after 429, because cached results still work', async () => {
    origin.setResponse({ status: 429, code: 'ERATE', message: 'Used up.', remaining: 0, retryAfterS: 22_440 })
    const { panel, run } = await open()
    await expect.element(panel).toMatchTextContent('Used up.')
    const before = origin.requests.length
    origin.setResponse({})
    await run()
    await expect.element(panel).toMatchTextContent('HIT')
    expect(origin.requests).toHaveLength(before + 1)
  })

  it('shows timings, headers, redirects and JSON', async () => {
    const { panel } = await open()
    await expect.element(panel).toMatchTextContent(/2\.00 s to produce.*load1\.50 s.*capture500 ms/)
    await userEvent.click(panel.getByText('JSON, headers and redirects'))
    await expect.element(panel.getByLabelText('Response body')).toMatchTextContent('"title": "Nested routes"')
    await expect.element(panel).toMatchTextContent('x-fetch-modeprerender')
    await expect.element(panel).toMatchTextContent('301https://tern.example/guide')
  })

  it('shows the HTML card of the service in a frame without scripts', async () => {
    origin.setResponse({ html: '<a href="https://tern.example/">Nested</a><script>parent.broken = true</script>' })
    const { container } = await open(`url=${encodeURIComponent(FIRST)}&embed=html`)
    await vi.waitFor(() => expect(container.querySelector('iframe')?.srcdoc).toContain('Nested'))
    expect(origin.requests).toHaveLength(1)
    expect(Object.hasOwn(window, 'broken')).toBe(false)
  })
})

describe('the candidates', () => {
  const candidate = (id: string, value: string, more = {}) => ({
    id,
    value,
    source: 'meta og:title',
    score: 0,
    reasons: [],
    isSelected: false,
    ...more,
  })
  const candidates = {
    title: [
      candidate('0000000a', 'Nested routes', { isSelected: true }),
      candidate('0000000b', 'Routes in routes', { source: 'heading', reasons: ['repeats the site'] }),
    ],
    description: [candidate('0000000c', 'A folder is a route.')],
    image: [
      candidate('0000000d', 'https://tern.example/gone.png', { problem: 'responded with status 404' }),
      candidate('0000000e', 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', { width: 1, height: 1, isSelected: true }),
    ],
  }

  it('are chosen by a click, and the code has the choice without the list', async () => {
    origin.setResponse({ added: { candidates } })
    const { getByRole, getByLabelText, run } = await open(`url=${encodeURIComponent(FIRST)}`)
    await userEvent.click(getByRole('switch', { name: 'Candidates' }))
    await run()
    const title = getByRole('button', { name: /^Routes in routes/ })
    await expect.element(title).toMatchTextContent('heading · repeats the site')
    await expect.element(getByRole('button', { name: /^Nested routes/ })).toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(title)
    await vi.waitFor(() => expect(origin.requests.at(-1)!.searchParams.get('title.pick')).toBe('0000000b'))
    expect(origin.requests.at(-1)!.searchParams.get('candidates')).toBe('true')
    const code = getByLabelText('React code')
    await expect.element(code).toMatchTextContent(/title: \{ pick: '0000000b'/)
    expect(code.element().textContent).not.toContain('candidates')
    await userEvent.click(getByRole('region', { name: 'Code' }).getByRole('radio', { name: 'HTML' }))
    await expect.element(getByLabelText('HTML code')).toMatchTextContent('title-pick="0000000b"')

    await userEvent.click(getByRole('button', { name: /^Nested routes/ }))
    await vi.waitFor(() => expect(origin.requests.at(-1)!.searchParams.has('title.pick')).toBe(false))
  })

  it('that cannot be used say why, and cannot be chosen', async () => {
    origin.setResponse({ added: { candidates } })
    const { getByRole } = await open(`url=${encodeURIComponent(FIRST)}&candidates=true`)
    const gone = getByRole('button', { name: /gone\.png/ })
    await expect.element(gone).toMatchTextContent('responded with status 404')
    await expect.element(gone).toBeDisabled()
  })

  it('are not shown without the parameter', async () => {
    const { panel, getByRole } = await open()
    await expect.element(panel).toMatchTextContent('HIT')
    expect(getByRole('region', { name: 'Candidates' }).query()).toBeNull()
  })
})

describe('the history', () => {
  const change = (kind: PageChange['kind'], more: Partial<PageChange>): PageChange => ({
    kind,
    element: '#a',
    text: null,
    textBefore: null,
    x: 340,
    y: 150,
    width: 160,
    height: 100,
    ...more,
  })
  const version = (day: number, changes: PageChange[], more: Partial<PageVersion> = {}): PageVersion => ({
    since: `2026-05-0${day}T08:12:00.000Z`,
    until: `2026-05-0${day}T17:40:00.000Z`,
    title: `Tides of May ${day}`,
    screenshot: { url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', width: 1280, height: 800 },
    // An element of the page, 20 pixels from the left and 50 from the top.
    area: { x: 20, y: 50, width: 640, height: 400 },
    changes,
    ...more,
  })
  const changes = [
    change('changed', { element: 'h1', text: 'High water at noon', textBefore: 'High water at ten' }),
    change('removed', { element: '#ferry', textBefore: 'No ferry today', y: 50 }),
    change('changed', { element: '#chart', text: 'Chart', textBefore: 'Chart' }),
    change('added', { element: '.notice', text: 'New moon' }),
  ]
  const history: PageHistory = {
    versions: [version(3, changes), version(2, [change('added', { text: 'Older' })]), version(1, [])],
    ignored: ['#clock', '.ad'],
  }

  async function openHistory(shown: PageHistory | null) {
    origin.setResponse({ history: shown })
    const screen = await open(`url=${encodeURIComponent(FIRST)}&history=3`)
    const panel = screen.getByRole('region', { name: 'History' })
    await expect.element(panel).toBeVisible()
    const changes = () => [...panel.element().querySelectorAll('.changes li')].map(({ textContent }) => textContent)
    const pictures = () => [...panel.element().querySelectorAll('.pictures .picture')]
    return { panel, changes, pictures, run: screen.run }
  }

  it('shows the newest version beside the one before it, with what has changed', async () => {
    const { panel, changes, pictures } = await openHistory(history)
    expect(origin.requests.at(-1)!.searchParams.get('history')).toBe('3')
    expect(changes()).toEqual([
      '1 changedh1Before: High water at tenNow: High water at noon',
      '2 removed#ferryBefore: No ferry today',
      '3 changed#chartChartlooks different',
      '4 added.noticeNow: New moon',
    ])
    await expect.element(panel.getByRole('heading', { name: 'Tides of May 3' })).toBeVisible()
    expect(pictures()).toHaveLength(2)
    await expect.element(panel).toMatchTextContent('captures that are seconds apart: #clock, .ad')
  })

  it('draws changes where they are in the picture, and what was removed in the one before', async () => {
    const { pictures } = await openHistory(history)
    const boxes = pictures().map((picture) => {
      const { left, top, width, height } = picture.getBoundingClientRect()
      return [...picture.querySelectorAll<HTMLElement>('.outline')].map((outline) => {
        const box = outline.getBoundingClientRect()
        const shares = [(box.left - left) / width, (box.top - top) / height, box.width / width, box.height / height]
        return [outline.dataset.number, ...shares.map((share) => share.toFixed(2))]
      })
    })
    const place = ['0.50', '0.25', '0.25', '0.25']
    expect(boxes).toEqual([
      [['2', '0.50', '0.00', '0.25', '0.25']],
      [
        ['1', ...place],
        ['3', ...place],
        ['4', ...place],
      ],
    ])
  })

  it('shows any version, by keyboard too, and the oldest one alone', async () => {
    const { panel, changes, pictures } = await openHistory(history)
    const [newest, older, oldest] = [1, 2, 3].map((day) =>
      panel.getByRole('button', { name: new RegExp(`^Tides of May ${4 - day}`) }),
    )
    await expect.element(newest!).toHaveAttribute('aria-pressed', 'true')
    await expect.element(newest!).toMatchTextContent('4 changes')
    newest!.element().focus()
    await userEvent.keyboard('{Tab}{Enter}')
    await expect.element(older!).toHaveAttribute('aria-pressed', 'true')
    expect(changes()).toEqual(['1 added#aNow: Older'])
    await userEvent.click(oldest!)
    await expect.element(oldest!).toMatchTextContent('First capture')
    expect([changes(), pictures().length]).toEqual([[], 1])
  })

  it('says when the version before is not in the response', async () => {
    const { panel, pictures } = await openHistory({ versions: [version(3, changes)], ignored: [] })
    await expect.element(panel).toMatchTextContent('The version before it is not in this response')
    expect(pictures()).toHaveLength(1)
    expect(panel.element().textContent).not.toContain('Left out')
  })

  it('has times in the language and the time zone of the reader', async () => {
    const { panel } = await openHistory(history)
    const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
    const { since, until } = history.versions[0]!
    // It has narrow spaces, and the text of a locator has plain ones.
    const period = format.formatRange(new Date(since), new Date(until)).replaceAll(/\s+/g, ' ')
    await expect.element(panel.getByRole('button', { name: /^Tides of May 3/ })).toMatchTextContent(period)
    await expect.element(panel.getByRole('img', { name: `Screenshot of Tides of May 3, ${period}` })).toBeVisible()
  })

  it('reserves the space of its pictures, and loads those in sight', async () => {
    const { panel } = await openHistory(history)
    for (const image of panel.element().querySelectorAll('img')) {
      expect(image.loading).toBe('lazy')
      const { width, height } = image.getBoundingClientRect()
      expect(width / height).toBeCloseTo(1.6, 1)
    }
  })

  it('shows texts of strangers as text, within its width', async () => {
    await page.viewport(320, 700)
    const text = `<img src=x onerror="window.broken = true"><b>\u202e${'W'.repeat(160)}`
    const hostile = changes.map((each) => ({ ...each, element: text, text, textBefore: `${text} before` }))
    const { panel } = await openHistory({
      versions: [version(3, hostile, { title: text, since: 'never' }), version(2, [], { title: null })],
      ignored: Array.from({ length: 30 }, () => text),
    })
    await expect.element(panel).toMatchTextContent('Without a title')
    await expect.element(panel).toMatchTextContent('and 22 more')
    expect(panel.element().querySelector('b, [src=x], script')).toBeNull()
    expect(Object.hasOwn(window, 'broken')).toBe(false)
    expect(panel.element().scrollWidth).toBeLessThanOrEqual(panel.element().clientWidth)
  })

  it('says when nothing could be compared, and is not shown without the parameter', async () => {
    const { panel, run } = await openHistory(null)
    await expect.element(panel).toMatchTextContent('There is no screenshot that could be compared.')
    origin.setResponse({})
    await run()
    await expect.element(panel).not.toBeInTheDocument()
  })
})

it('shows an explanation of the result', async () => {
  const explanation = {
    requests: [{ url: FIRST, statusCode: 200, size: 1_204, durationMs: 80 }],
    documents: [{ by: 'fetch', userAgent: 'a bot', url: FIRST, statusCode: 200, title: 'Tern', textChars: 12 }],
    choice: 'The document as fetched.',
    fields: { title: [{ id: '0000000a', value: 'Tern', source: 'title', score: 0, reasons: [], isSelected: true }] },
    layers: [{ element: 'div cookies', text: 'We use', count: 1, isHidden: true, reason: 'asks for consent' }],
    pending: [],
    blocked: { count: 0, urls: [] },
    timings: {},
  }
  origin.setResponse({ added: { explanation } })
  const { panel } = await open(`url=${encodeURIComponent(FIRST)}&explain=true`)
  for (const text of [
    `${FIRST} · 80 ms · 1,204 bytes`,
    'Tern · 12 characters of text · a bot',
    'The document as fetched.',
    'div cookies · asks for consent · We use',
  ])
    await expect.element(panel).toMatchTextContent(text)
})

describe('the column', () => {
  it('can be resized by radio button and by keyboard', async () => {
    const { getByRole, container } = await open()
    const grip = getByRole('slider', { name: 'Column width' })
    await userEvent.click(getByRole('radio', { name: '560' }))
    await expect.element(grip).toHaveAttribute('aria-valuenow', '560')
    grip.element().focus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(grip).toHaveAttribute('aria-valuenow', '570')
    await userEvent.keyboard('{Home}')
    await expect.element(grip).toHaveAttribute('aria-valuenow', '200')
    expect(container.querySelector('.column')!.clientWidth).toBe(200)
  })
})

describe('the code', () => {
  it('follows the form without a run, and does not change while the form is invalid', async () => {
    const { getByRole, getByLabelText } = await open()
    const code = getByLabelText('React code')
    await userEvent.fill(getByRole('textbox', { name: 'Element' }), '#main')
    await expect.element(code).toMatchTextContent('element="#main"')
    await userEvent.fill(getByRole('textbox', { name: 'Page' }), 'ht')
    await expect.element(code).toMatchTextContent(`url="${FIRST}"`)
    await userEvent.click(getByRole('radio', { name: 'cURL' }))
    await expect.element(getByLabelText('cURL code')).toMatchTextContent(/^curl -G/)
  })
})

describe('the API key', () => {
  it('is sent to the pro host as a header, and is neither in the URL nor in the code', async () => {
    const { getByRole, getByLabelText } = await open()
    await vi.waitFor(() => expect(origin.requests).toHaveLength(1))
    await userEvent.click(getByRole('button', { name: 'Use an API key' }))
    await userEvent.fill(getByLabelText('API key', { exact: true }), 'pp_1_secret')
    await userEvent.fill(getByLabelText('Pro host'), 'https://pro.example/')
    await userEvent.click(getByRole('button', { name: 'Use this key' }))
    await vi.waitFor(() => expect(origin.requests.at(-1)?.origin).toBe('https://pro.example'))
    expect(origin.keys).toEqual([null, 'pp_1_secret'])
    await userEvent.click(getByRole('radio', { name: 'CLI' }))
    await expect.element(getByLabelText('CLI code')).toMatchTextContent('--api-key "$PAGE_PREVIEW_API_KEY"')
    expect(document.documentElement.outerHTML + location.href).not.toContain('secret')
    await userEvent.click(getByRole('button', { name: 'Remove API key' }))
    await vi.waitFor(() => expect(origin.requests.at(-1)?.origin).toBe(location.origin))
  })
})
