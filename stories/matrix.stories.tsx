import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { expect, waitFor } from 'storybook/test'
import { PagePreview, type Layout, type PagePreviewProps } from '../src/react/index.js'
import { ar } from '../src/react/messages/index.js'
import { arabic, ferries, FERRIES_URL, film, longWords, radio, sail, stopped, times, words } from './fixture-pages.js'
import type { FixtureAnswer } from './fixture-service.js'
import { PATIENCE } from './read-preview.js'
import { StoryService } from './story-service.js'

interface State {
  answers: readonly FixtureAnswer[]
  props?: Partial<PagePreviewProps>
}

const unreachable = { httpStatus: 403, code: 'EFORBIDDENURL', message: 'Not public.' }
const old = { page: { ...words, screenshot: stopped }, cache: 'STALE', madeMsAgo: 3 * 86_400_000 } as const

/** Everything that a preview can be. */
const STATES: Readonly<Record<string, State>> = {
  loading: { answers: [{ isPending: true }] },
  ready: { answers: [{ page: ferries }] },
  refreshing: { answers: [old, { isPending: true }] },
  stale: { answers: [old, { error: unreachable }] },
  failed: { answers: [{ error: unreachable }] },
  'no picture': { answers: [{ page: words }] },
  'a letter': { answers: [{ page: { ...words, logo: null } }] },
  'long words': { answers: [{ page: { ...longWords, screenshot: sail } }] },
  'no description': { answers: [{ page: { ...ferries, description: null } }] },
  element: { answers: [{ page: { ...words, screenshot: times } }], props: { element: '#times' } },
  audio: { answers: [{ page: radio }] },
  video: { answers: [{ page: film }] },
}

interface MatrixProps {
  layout: Layout
  /** Of one column, in CSS pixels. */
  width: number
  themes?: readonly ('light' | 'dark')[]
  props?: Partial<PagePreviewProps>
  states?: Readonly<Record<string, State>>
  /** Name of the picture that it has to look like. */
  picture?: string
}

/** Every state of one layout, in each theme. */
function Matrix({
  layout,
  width,
  themes = ['light', 'dark'],
  props,
  states = STATES,
  picture,
}: MatrixProps): ReactNode {
  return (
    <main data-picture={picture} style={{ fontFamily: 'system-ui, sans-serif', lineHeight: 1.5 }}>
      {themes.map((theme) => (
        <section key={theme} data-theme={theme} style={paneStyle(theme, width)}>
          {Object.entries(states).map(([name, { answers, props: own }]) => (
            <div key={name}>
              <p style={{ margin: '0 0 4px', fontSize: 12 }}>{name}</p>
              <StoryService answers={answers}>
                <PagePreview
                  url={FERRIES_URL}
                  screenshot
                  layout={layout}
                  theme={theme}
                  loading="eager"
                  data-name={name}
                  {...own}
                  {...props}
                />
              </StoryService>
            </div>
          ))}
        </section>
      ))}
    </main>
  )
}

const paneStyle = (theme: string, width: number) => ({
  display: 'grid',
  gridTemplateColumns: `repeat(auto-fill, ${width}px)`,
  alignItems: 'start',
  gap: 20,
  padding: 20,
  ...(theme === 'dark' ? { background: '#111113', color: '#f4f4f5' } : { background: '#fff', color: '#18181b' }),
})

const meta: Meta<typeof Matrix> = {
  title: 'Every state',
  component: Matrix,
  // What is far from the screen is not renewed.
  parameters: { viewport: { options: { tall: { name: 'Tall', styles: { width: '1300px', height: '2500px' } } } } },
  globals: { viewport: { value: 'tall' } },
  async play({ canvasElement, args: { layout } }) {
    await everyState(canvasElement)
    const heights = [...canvasElement.querySelectorAll('.page-preview')].map(
      (root) => root.getBoundingClientRect().height,
    )
    if (layout !== 'inline') await expect(new Set(heights).size).toBe(1)
  },
}

export default meta
type Story = StoryObj<typeof Matrix>

export const Card: Story = { args: { picture: 'card', layout: 'card', width: 300 } }
export const Row: Story = { args: { picture: 'row', layout: 'row', width: 460 } }
export const Image: Story = { args: { picture: 'image', layout: 'image', width: 300 } }
export const Inline: Story = { args: { picture: 'inline', layout: 'inline', width: 300 } }
export const WideCard: Story = {
  args: { picture: 'wide-card', layout: 'card', width: 720, states: some('ready', 'failed', 'long words') },
}
export const NarrowCard: Story = { args: { picture: 'narrow-card', layout: 'card', width: 180 } }
export const NarrowRow: Story = {
  args: { picture: 'narrow-row', layout: 'row', width: 240, states: some('loading', 'ready', 'failed') },
}

/** Words from right to left, and everything with them. */
export const RightToLeft: Story = {
  args: {
    picture: 'right-to-left',
    layout: 'card',
    width: 300,
    props: { messages: ar },
    states: {
      ...some('loading', 'refreshing', 'stale', 'failed'),
      ready: { answers: [{ page: { ...arabic, audio: radio.audio } }] },
    },
  },
}

function some(...names: string[]): Readonly<Record<string, State>> {
  return Object.fromEntries(Object.entries(STATES).filter(([name]) => names.includes(name)))
}

/** Each preview is in the state that it is named after, and its picture is seen. */
async function everyState(canvas: HTMLElement): Promise<void> {
  for (const root of canvas.querySelectorAll<HTMLElement>('[data-name]')) {
    const { name = '' } = root.dataset
    const state = ['loading', 'refreshing', 'stale', 'failed'].includes(name) ? name : 'ready'
    await waitFor(() => expect(root).toHaveAttribute('data-state', state), PATIENCE)
    await waitFor(() => expect(root.querySelector('[data-pending]')).toBeNull(), PATIENCE)
    for (const image of root.querySelectorAll('img')) await image.decode()
    if (root.dataset.layout === 'inline') continue
    if (state === 'failed') await waitFor(() => expect(root.querySelector('.pp-retry')).not.toBeNull(), PATIENCE)
    if (state === 'stale') await waitFor(() => expect(root.querySelector('.pp-note')).not.toBeNull(), PATIENCE)
    if (name === 'audio' || name === 'video')
      await waitFor(() => expect(root.querySelector('.pp-badge')).not.toBeNull(), PATIENCE)
  }
}
