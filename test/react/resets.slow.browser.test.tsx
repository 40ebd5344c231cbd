// Covers styles.css among the styles of pages: resets, prose styles and utilities, all outside of layers, so that each of them wins.
import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { PagePreview, PagePreviewProvider, type PagePreviewProps } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { deferred, fakeService, page, screenshot, TARGET, type FakeResponse } from './fake-service.js'
import { observeLayoutShifts, painted } from './layout-shifts.js'
import iconUrl from './images/new.png?url'
import imageUrl from './images/old.png?url'

const resets = import.meta.glob<string>('./resets/*.css', { query: '?raw', import: 'default', eager: true })

const data = {
  ...page,
  title: 'How a tide table is made, and who still reads one before going out',
  logo: { url: iconUrl },
  screenshot: { ...screenshot, url: imageUrl, width: 1280, height: 800 },
}
const forever = deferred().promise

interface State {
  responses: readonly FakeResponse[]
  props?: Partial<PagePreviewProps>
  /** What is there once the state is reached. */
  selector: string
}

const STATES: Readonly<Record<string, State>> = {
  loading: { responses: [{ after: forever }], selector: '[data-status=loading]' },
  ready: { responses: [{ data }], selector: '[data-status=ready]' },
  refreshing: {
    responses: [{ data, cache: 'STALE', timestamp: 1_000 }, { after: forever }],
    selector: '[data-status=refreshing]',
  },
  stale: {
    responses: [{ data, cache: 'STALE', timestamp: 1_000 }, { error: { status: 403, code: 'EFORBIDDENURL' } }],
    selector: '[data-status=stale]',
  },
  failed: { responses: [{ error: { status: 403, code: 'EFORBIDDENURL' } }], selector: '[data-status=failed]' },
  'no image': {
    responses: [{ data: { ...data, screenshot: null, image: null } }],
    selector: '[data-status=ready]',
  },
  embed: { responses: [{ data }], props: { embed: true, endpoint: imageUrl }, selector: '[data-status=ready]' },
}

const removals: (() => void)[] = []
afterEach(async () => {
  await cleanup()
  for (const remove of removals.splice(0)) remove()
  scrollTo(0, 0)
})

function addStyles(css: string): void {
  const sheet = Object.assign(document.createElement('style'), { textContent: css })
  document.head.append(sheet)
  removals.push(() => sheet.remove())
}

const preview = () => document.querySelector<HTMLElement>('.page-preview')!
const part = (name: string) => preview().querySelector<HTMLElement>(name)

/** A preview far below the viewport, and the text that it could move. */
async function farPreview({ responses, props }: State, layout: PagePreviewProps['layout'], width = 424) {
  const { fetch } = fakeService(...responses)
  const Block = layout === 'inline' ? 'p' : 'div'
  await render(
    <main className="prose markdown-body" style={{ inlineSize: width, font: '16px/1.6 sans-serif' }}>
      <div style={{ blockSize: 4_000 }} />
      <Block>
        We wrote{' '}
        <PagePreviewProvider
          fetch={fetch}
          queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
        >
          <PagePreview url={TARGET} screenshot layout={layout} {...props} />
        </PagePreviewProvider>{' '}
        about it.
      </Block>
      <p>Below</p>
      <div style={{ blockSize: 4_000 }} />
    </main>,
  )
  await painted()
}

describe.each(Object.entries(resets).map(([path, css]) => [path.replace(/.*\/(.*)\.css/, '$1'), css] as const))(
  'among the styles of %s',
  (_, css) => {
    describe.each(['card', 'row', 'image', 'inline'] as const)('the layout %s', (layout) => {
      it.each(Object.keys(STATES))('does not move the page: %s', async (name) => {
        addStyles(css)
        const state = STATES[name]!
        await farPreview(state, layout)
        const { width, height } = preview().getBoundingClientRect()
        const shifts = observeLayoutShifts()
        preview().scrollIntoView({ block: 'center' })
        await vi.waitFor(() => expect(preview().matches(state.selector)).toBe(true), { timeout: 10_000 })
        await Promise.all([...preview().querySelectorAll('img')].map((image) => image.decode().catch(() => undefined)))
        await painted(4)
        shifts.stop()
        const shown = preview().getBoundingClientRect()
        expect(shifts.total()).toBe(0)
        expect([shown.width, shown.height]).toEqual([expect.closeTo(width, 0), expect.closeTo(height, 0)])
        expectUndistorted()
      })
    })
  },
)

/** The image covers its space, whatever margins and borders it has, and icons fit into theirs. */
function expectUndistorted(): void {
  const image = part('.pp-image')
  if (image) {
    const [inner, outer] = [image, part('.pp-media')!].map((element) => element.getBoundingClientRect())
    expect(outer!.width / outer!.height).toBeCloseTo(1.6, 1)
    for (const side of ['left', 'top'] as const) expect(inner![side]).toBeLessThanOrEqual(outer![side] + 0.5)
    for (const side of ['right', 'bottom'] as const) expect(inner![side]).toBeGreaterThanOrEqual(outer![side] - 0.5)
    expect(getComputedStyle(image).objectFit).toBe('cover')
  }
  for (const icon of preview().querySelectorAll('.pp-icon, .pp-fallback')) {
    const { width, height } = icon.getBoundingClientRect()
    expect(width).toBeCloseTo(height)
    expect(width).toBeGreaterThan(10)
  }
}
