// Covers the parts of `page-preview/parts`.
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createRef, version, type ReactElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PagePreviewProvider } from '../../src/react/index.js'
import { Preview, usePreviewState, type RootProps } from '../../src/react/parts/index.js'
import { failOnConsoleError } from './fail-on-console-error.js'
import { fakeService, page, screenshot, TARGET, type FakeService } from './fake-service.js'

let service: FakeService

beforeEach(() => {
  service = fakeService({})
})
afterEach(cleanup)
failOnConsoleError()

const data = {
  ...page,
  author: 'Mara Lind',
  publisher: 'Shoreline',
  date: '2026-01-31T00:00:00.000Z',
  screenshot,
}

const inRoot = (children: ReactNode, props: Partial<RootProps> = {}) => (
  <PagePreviewProvider fetch={(...request) => service.fetch(...request)} queryClient={new QueryClient()}>
    <Preview.Root url={TARGET} loading="eager" data-testid="root" {...props}>
      {children}
    </Preview.Root>
  </PagePreviewProvider>
)
const root = () => screen.getByTestId('root')
const isIn = (status: string) => waitFor(() => expect(root().dataset.status).toBe(status))

it.each([
  ['Link', <Preview.Link key="" />, 'A', page.title],
  ['Title', <Preview.Title key="" />, 'SPAN', page.title],
  ['Description', <Preview.Description key="" />, 'P', page.description],
  ['Author', <Preview.Author key="" />, 'SPAN', 'Mara Lind'],
  ['Publisher', <Preview.Publisher key="" />, 'SPAN', 'Shoreline'],
  ['Date', <Preview.Date key="" />, 'TIME', 'Jan 31, 2026'],
  ['Host', <Preview.Host key="" />, 'BDI', 'shoreline.example'],
  ['Site', <Preview.Site key="" />, 'SPAN', 'S shoreline.example'],
  ['Icon', <Preview.Icon key="" />, 'SPAN', 'S'],
  ['ImageDetails', <Preview.ImageDetails key="" />, 'SPAN', '2560 × 1600JPG53.3 kB'],
  ['Image', <Preview.Image key="" />, 'IMG', ''],
  ['Media', <Preview.Media key="" />, 'DIV', ''],
])('shows %s of a page, with the state and without a class', (_, part, tag, text) => {
  render(inRoot(part, { data }))
  const element = root().firstElementChild as HTMLElement
  expect([element.tagName, element.textContent]).toEqual([tag, text])
  expect(element.dataset).toMatchObject({ status: 'ready', layout: 'card' })
  expect(element.hasAttribute('class')).toBe(false)
})

// React 18 has no server components.
if (!version.startsWith('18'))
  it('renders as an element that a server component sends lazily', () => {
    const lazyHeading = { $$typeof: Symbol.for('react.lazy'), _init: () => <h2 />, _payload: undefined }
    render(inRoot(<Preview.Title render={lazyHeading as unknown as ReactElement} />, { data }))
    expect(root().querySelector('h2')!.textContent).toBe(page.title)
  })

it('shows nothing of what a page lacks', () => {
  const parts = (
    <>
      <Preview.Author />
      <Preview.Publisher />
      <Preview.Date />
      <Preview.Image />
      <Preview.ImageDetails />
      <Preview.Play />
      <Preview.Status />
      <Preview.Retry />
      <Preview.Skeleton />
    </>
  )
  render(inRoot(parts, { data: {} }))
  expect(root().innerHTML).toBe('')
})

it('shows a skeleton while it loads, a fallback without an image, and a button after a failure', async () => {
  service.respondWith({ error: { status: 422, code: 'EELEMENT' } })
  const parts = (
    <>
      <Preview.Skeleton className="bone" />
      <Preview.Fallback className="fallback" />
      <Preview.Description className="reason" />
      <Preview.Retry className="again" />
    </>
  )
  render(inRoot(parts))
  expect([...root().children].map(({ className }) => className)).toEqual(['bone'])
  fireEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  await waitFor(() =>
    expect([...root().children].map(({ className }) => className)).toEqual(['fallback', 'reason', 'again', '']),
  )
})

it('tells screen readers how a retry has ended, in the layout of a chip too', async () => {
  service.respondWith({ error: { status: 422, code: 'EELEMENT' } })
  render(inRoot(<Preview.Retry />, { layout: 'inline' }))
  const retry = await screen.findByRole('button', { name: 'Retry' })
  service.respondWith({})
  fireEvent.click(retry)
  await isIn('ready')
  expect(screen.getByRole('status').textContent).toBe('The preview has loaded.')
})

it('takes functions of the state for class, style and element, and a ref', () => {
  const ref = createRef<HTMLElement>()
  const part = (
    <Preview.Title
      ref={ref}
      className={({ status }) => `is-${status}`}
      style={({ layout }) => ({ width: layout === 'card' ? 300 : 100 })}
      render={(props, state) => <h3 {...props} title={state.displayUrl.host} />}
    />
  )
  render(inRoot(part, { data }))
  const title = screen.getByRole('heading', { level: 3, name: page.title! })
  expect([title.className, title.style.width, title.title]).toEqual(['is-ready', '300px', 'shoreline.example'])
})

it('renders the caller’s element with the attributes of the part, and both classes, handlers and refs', () => {
  const [outer, inner] = [createRef<HTMLElement>(), createRef<HTMLAnchorElement>()]
  const clicks: string[] = []
  const link = (
    <Preview.Link
      ref={outer}
      className="part"
      onClick={() => clicks.push('part')}
      render={<a ref={inner} className="own" onClick={(event) => (event.preventDefault(), clicks.push('own'))} />}
    />
  )
  render(inRoot(link, { data, target: '_blank', render: <section className="card" />, className: 'root' }))
  const element = screen.getByRole('link')
  expect(element.getAttribute('href')).toBe(TARGET)
  expect(element.className).toBe('own part')
  expect([outer.current, inner.current]).toEqual([element, element])
  fireEvent.click(element)
  expect(clicks).toEqual(['own', 'part'])
  expect([root().tagName, root().className, element.getAttribute('target')]).toEqual(['SECTION', 'card root', '_blank'])
})

it('keeps what a component passes on as `undefined`: handlers, texts and attributes', async () => {
  service = fakeService({ error: { status: 504, code: 'ETIMEOUT' } })
  const parts = (
    <>
      <Preview.Link href={undefined} target={undefined} render={<a rel={undefined} />}>
        {undefined}
      </Preview.Link>
      <Preview.Retry onClick={undefined} />
    </>
  )
  render(inRoot(parts, { target: '_blank', rel: 'nofollow' }))
  const retry = await screen.findByRole('button', { name: 'Retry' })
  const link = screen.getByRole('link')
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    TARGET,
    '_blank',
    'nofollow',
  ])
  expect(link.textContent).not.toBe('')
  service.respondWith({})
  fireEvent.click(retry)
  await waitFor(() => expect(root().dataset.status).toBe('ready'))
  expect(link.textContent).toBe(page.title)
})

it('renders on a server, with the state of the page', () => {
  const html = renderToString(inRoot(<Preview.Title />, { data }))
  expect(html).toContain(`data-status="ready" data-layout="card">${page.title}</span>`)
})

it('has the state of the page at its root', async () => {
  render(inRoot(<Preview.Title />, { layout: 'row' }))
  expect([root().dataset.status, root().dataset.layout, root().getAttribute('aria-busy')]).toEqual([
    'loading',
    'row',
    'true',
  ])
  await isIn('ready')
  expect(root().hasAttribute('aria-busy')).toBe(false)
})

it('takes the class and style of its root before those of the provider', () => {
  const defaults = { className: 'default', style: { color: 'blue' } }
  render(
    <PagePreviewProvider fetch={service.fetch} queryClient={new QueryClient()} defaults={defaults}>
      <Preview.Root
        url={TARGET}
        data={data}
        data-testid="root"
        className={({ status }) => status}
        style={{ color: 'red' }}
      />
      <Preview.Root url={TARGET} data={data} data-testid="other" />
    </PagePreviewProvider>,
  )
  const other = screen.getByTestId('other')
  expect([root().className, root().style.color, other.className, other.style.color]).toEqual([
    'ready',
    'red',
    'default',
    'blue',
  ])
})

describe('a part of the caller', () => {
  const Language = () => <i lang={usePreviewState().page?.lang ?? undefined}>{usePreviewState().status}</i>

  it('reads the state of the preview around it', () => {
    render(inRoot(<Language />, { data: { ...data, lang: 'da' } }))
    expect(root().innerHTML).toBe('<i lang="da">ready</i>')
  })

  it('says that there is none', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => render(<Language />)).toThrow(
      'usePreviewState() is not inside a <Preview.Root>, which provides its page.',
    )
    error.mockClear()
  })
})

it('gives a render function no class and no style that the part does not have', () => {
  render(
    inRoot(
      <Preview.Title render={(props) => <h3 data-testid="own" className="mine" style={{ top: 1 }} {...props} />} />,
    ),
  )
  expect(screen.getByTestId('own')).toMatchObject({ className: 'mine', style: { top: '1px' } })
})

it('has the theme and the fit that the stylesheet reads on its root', async () => {
  render(<PagePreviewProvider defaults={{ theme: 'dark' }}>{inRoot(null, { element: '#main' })}</PagePreviewProvider>)
  expect(root().dataset).toMatchObject({ theme: 'dark', fit: 'contain' })
  cleanup()
  render(inRoot(null, { theme: 'auto' }))
  expect(root().dataset).not.toMatchObject({ theme: expect.anything() })
  await isIn('ready')
})
