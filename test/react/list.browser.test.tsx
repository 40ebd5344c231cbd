// Covers styles.css: cards in lists and other places whose content decides their width.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { page as browser } from 'vitest/browser'
import { HoverPreview, PagePreview, type Layout } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { page, TARGET } from './fake-service.js'

afterEach(cleanup)

const show = (list: React.CSSProperties, layout: Layout = 'card') =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <div style={{ inlineSize: 260, fontSize: 16 }}>
        <ul style={{ listStyle: 'none', margin: 0, padding: 0, ...list }}>
          <li>
            <PagePreview url={TARGET} data={page} layout={layout} />
          </li>
        </ul>
        <div style={list}>
          <PagePreview url={TARGET} data={page} layout={layout} />
        </div>
        <div style={{ float: 'left' }}>
          <PagePreview url={TARGET} data={page} layout={layout} className="floating" />
        </div>
      </div>
    </QueryClientProvider>,
  )
const widths = (selector: string) =>
  [...document.querySelectorAll(selector)].map((card) => card.getBoundingClientRect().width)

describe.each<Layout>(['card', 'row', 'image'])('the layout %s', (layout) => {
  it.each<[string, React.CSSProperties]>([
    ['a grid without columns', { display: 'grid' }],
    ['a grid of one fraction', { display: 'grid', gridTemplateColumns: '1fr' }],
    ['a row', { display: 'flex' }],
  ])('is not wider than a narrow list that is %s', async (_, list) => {
    await show(list, layout)
    for (const width of widths('ul .page-preview, div > .page-preview:not(.floating)'))
      expect(width).toBeLessThanOrEqual(260)
  })
})

it('only the item around a card can be narrower than its content, at any depth', async () => {
  const Board = ({ children }: { children: ReactNode }) => <ul style={{ display: 'flex' }}>{children}</ul>
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <Board>
        <li id="column">
          <Board>
            <li id="item">
              <PagePreview url={TARGET} data={page} />
            </li>
            <li id="wrapped">
              <div>
                <section>
                  <PagePreview url={TARGET} data={page} />
                </section>
              </div>
            </li>
          </Board>
        </li>
        <li id="chip">
          <PagePreview url={TARGET} data={page} layout="inline" />
        </li>
        <li id="thread">
          <PagePreview url={TARGET} data={page} />
          <Board>
            <li id="reply">
              <HoverPreview data={page} open>
                <a href={TARGET}>Tides</a>
              </HoverPreview>
            </li>
          </Board>
        </li>
        <li id="hovered">
          <HoverPreview data={page} open>
            <a href={TARGET}>Tides</a>
          </HoverPreview>
        </li>
      </Board>
    </QueryClientProvider>,
  )
  await vi.waitFor(() => expect(document.querySelectorAll('.pp-popover .page-preview')).toHaveLength(2))
  const minimums = [...document.querySelectorAll('li')].map((item) => [item.id, getComputedStyle(item).minInlineSize])
  expect(Object.fromEntries(minimums)).toEqual({
    column: 'auto',
    item: '0px',
    wrapped: '0px',
    chip: '0px',
    thread: '0px',
    reply: 'auto',
    hovered: 'auto',
  })
})

it('a card whose content decides its width is 22em wide, and fits on a phone', async () => {
  const { innerWidth, innerHeight } = window
  await browser.viewport(600, 600)
  await show({})
  expect(widths('.floating')).toEqual([22 * 16 + 14])
  await browser.viewport(320, 600)
  expect(widths('.floating')).toEqual([0.8 * 320 + 14])
  await browser.viewport(innerWidth, innerHeight)
})
