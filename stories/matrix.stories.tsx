import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { expect, waitFor } from 'storybook/test'
import type { PageData, PageState } from '../src/query/index.js'
import { PagePreview, type AppSettings, type Layout, type PagePreviewProps } from '../src/react/index.js'
import { ar } from '../src/react/messages/index.js'
import type { FakeResponses } from '../src/testing/index.js'
import {
  arabic,
  cover,
  ferries,
  FERRIES_URL,
  film,
  longWords,
  pending,
  radio,
  sail,
  stopped,
  times,
  words,
} from './fixture-pages.js'
import { WAIT_OPTIONS } from './preview-in.js'
import { StoryService } from './story-service.js'

interface State {
  responses: FakeResponses
  props?: Partial<PagePreviewProps>
}

const stale = { ...words, screenshot: stopped, cache: { status: 'STALE', ageMs: 3 * 86_400_000 } }

/** Every state of a preview. */
const STATES: Readonly<Record<string, State>> = {
  loading: { responses: pending },
  ready: { responses: ferries },
  refreshing: { responses: [stale, pending] },
  stale: { responses: [stale, 'EFORBIDDENURL'] },
  failed: { responses: 'ETIMEOUT' },
  'no picture': { responses: { ...words, screenshot: null } },
  'a letter': { responses: { ...words, screenshot: null, logo: null } },
  'long words': { responses: { ...longWords, screenshot: sail } },
  'no description': { responses: { ...ferries, description: null } },
  element: { responses: { ...words, screenshot: times }, props: { element: '#times' } },
  audio: { responses: radio },
  video: { responses: film },
}

interface MatrixProps {
  layout: Layout
  /** Width of one column, in CSS pixels. */
  width: number
  themes?: readonly ('light' | 'dark')[]
  props?: Partial<PagePreviewProps>
  states?: Readonly<Record<string, State>>
  messages?: AppSettings['messages']
  /** Name of the baseline image in `looks`. */
  baseline?: string
}

/** Every state of one layout, in each theme. */
function Matrix({
  layout,
  width,
  themes = ['light', 'dark'],
  props,
  states = STATES,
  messages,
  baseline,
}: MatrixProps): ReactNode {
  return (
    <main data-baseline={baseline} style={{ fontFamily: 'system-ui, sans-serif', lineHeight: 1.5 }}>
      {themes.map((theme) => (
        <section key={theme} data-theme={theme} style={paneStyle(theme, width)}>
          {Object.entries(states).map(([name, { responses, props: stateProps }]) => (
            <div key={name}>
              <p style={{ margin: '0 0 4px', fontSize: 12 }}>{name}</p>
              <StoryService responses={responses} messages={messages}>
                <PagePreview
                  url={FERRIES_URL}
                  screenshot
                  layout={layout}
                  theme={theme}
                  loading="eager"
                  data-name={name}
                  {...stateProps}
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
  // Previews far from the viewport are not revalidated.
  parameters: { viewport: { options: { tall: { name: 'Tall', styles: { width: '1300px', height: '2500px' } } } } },
  globals: { viewport: { value: 'tall' } },
  async play({ canvasElement, args: { layout } }) {
    await waitForStates(canvasElement)
    const heights = [...canvasElement.querySelectorAll('.page-preview')].map(
      (root) => root.getBoundingClientRect().height,
    )
    if (layout !== 'inline') await expect(new Set(heights).size).toBe(1)
  },
}

export default meta
type Story = StoryObj<typeof Matrix>

export const Card: Story = { args: { baseline: 'card', layout: 'card', width: 300 } }
export const Row: Story = { tags: ['slow'], args: { baseline: 'row', layout: 'row', width: 460 } }
export const Image: Story = { tags: ['slow'], args: { baseline: 'image', layout: 'image', width: 300 } }
export const Inline: Story = { tags: ['slow'], args: { baseline: 'inline', layout: 'inline', width: 300 } }
export const WideCard: Story = {
  tags: ['slow'],
  args: { baseline: 'wide-card', layout: 'card', width: 720, states: statesNamed('ready', 'failed', 'long words') },
}
export const NarrowCard: Story = { tags: ['slow'], args: { baseline: 'narrow-card', layout: 'card', width: 180 } }
export const NarrowRow: Story = {
  tags: ['slow'],
  args: { baseline: 'narrow-row', layout: 'row', width: 240, states: statesNamed('loading', 'ready', 'failed') },
}

const PAGE_STATES: readonly PageState[] = ['bot-check', 'blank', 'error-page', 'consent', 'login']

/** A check, an error or a form has its own title and description; behind a wall, the head belongs to the page. */
const HAS_OTHER_WORDS: readonly PageState[] = ['bot-check', 'error-page', 'login']

const withoutContent = (state: PageState): PageData => ({
  ...words,
  ...(HAS_OTHER_WORDS.includes(state) && { title: 'Access denied', description: 'Error 403: are you human?' }),
  screenshot: null,
  state,
})
const pagesWithoutContent = Object.fromEntries(
  PAGE_STATES.flatMap((state) => [
    [state, { responses: withoutContent(state) }],
    [`${state}, image`, { responses: { ...withoutContent(state), image: cover } }],
  ]),
)

/** Pages that did not show their content: the page's own image or its icon, and the words of the link. */
export const PagesWithoutContent: Story = {
  tags: ['slow'],
  args: {
    baseline: 'pages-without-content',
    layout: 'row',
    width: 400,
    props: { children: 'When the ferries sail' },
    states: pagesWithoutContent,
  },
  async play({ canvasElement, ...context }) {
    await meta.play!({ canvasElement, ...context })
    for (const root of canvasElement.querySelectorAll<HTMLElement>('.page-preview')) {
      const { name = '' } = root.dataset
      const hasOtherWords = HAS_OTHER_WORDS.some((state) => name.startsWith(state))
      const title = hasOtherWords ? 'When the ferries sail' : 'Ferries to the islands'
      await expect(root.querySelector('.pp-title')).toHaveTextContent(title)
      await expect(root).not.toHaveTextContent(/denied|error|human|no preview|retry/i)
      await expect(root.querySelector(name.includes('image') ? '.pp-image' : '.pp-fallback img')).not.toBeNull()
    }
  },
}

const WIDTHS = [200, 280, 400, 560, 760]

/** Layouts in columns of five widths. */
const InFiveWidths = ({ layouts, baseline }: { layouts: readonly Layout[]; baseline: string }) => (
  <main data-baseline={baseline} style={{ fontFamily: 'system-ui, sans-serif', lineHeight: 1.5 }}>
    {layouts.map((layout) => (
      <section key={layout} style={{ display: 'flex', flexWrap: 'wrap', gap: 20, padding: 20 }}>
        {WIDTHS.map((width) => (
          <div key={width} style={{ inlineSize: width }}>
            <p style={{ margin: '0 0 4px', fontSize: 12 }}>{`${layout}, ${width} px`}</p>
            <StoryService responses={ferries}>
              <PagePreview url={FERRIES_URL} screenshot layout={layout} loading="eager" data-name="ready" />
            </StoryService>
          </div>
        ))}
      </section>
    ))}
  </main>
)

async function checkFiveWidths({ canvasElement }: { canvasElement: HTMLElement }): Promise<void> {
  await waitForStates(canvasElement)
  const roots = [...canvasElement.querySelectorAll<HTMLElement>('.page-preview:not([data-layout=inline])')]
  for (const [index, { offsetWidth, scrollWidth, clientWidth }] of roots.entries())
    await expect([offsetWidth, scrollWidth]).toEqual([WIDTHS[index % WIDTHS.length], clientWidth])
}

/** Cards and rows in columns of five widths. */
export const FiveWidths: Story = {
  tags: ['slow'],
  render: () => <InFiveWidths layouts={['card', 'row']} baseline="five-widths" />,
  play: checkFiveWidths,
}

/** Images and chips in columns of five widths. */
export const FiveWidthsOfImages: Story = {
  tags: ['slow'],
  render: () => <InFiveWidths layouts={['image', 'inline']} baseline="five-widths-of-images" />,
  play: checkFiveWidths,
}

/** Right-to-left texts, and the layout with them. */
export const RightToLeft: Story = {
  tags: ['slow'],
  args: {
    baseline: 'right-to-left',
    layout: 'card',
    width: 300,
    messages: ar,
    states: {
      ...statesNamed('loading', 'refreshing', 'stale', 'failed'),
      ready: { responses: { ...arabic, audio: radio.audio } },
    },
  },
}

function statesNamed(...names: string[]): Readonly<Record<string, State>> {
  return Object.fromEntries(Object.entries(STATES).filter(([name]) => names.includes(name)))
}

/** Waits until each preview has the state in its name, and its image is decoded. */
async function waitForStates(canvas: HTMLElement): Promise<void> {
  for (const root of canvas.querySelectorAll<HTMLElement>('[data-name]')) {
    const { name = '' } = root.dataset
    const state = ['loading', 'refreshing', 'stale', 'failed'].includes(name) ? name : 'ready'
    await waitFor(() => expect(root).toHaveAttribute('data-status', state), WAIT_OPTIONS)
    await waitFor(() => expect(root.querySelector('[data-pending]')).toBeNull(), WAIT_OPTIONS)
    for (const image of root.querySelectorAll('img')) await image.decode()
    if (root.dataset.layout === 'inline') continue
    if (state === 'failed') await waitFor(() => expect(root.querySelector('.pp-retry')).not.toBeNull(), WAIT_OPTIONS)
    if (state === 'stale') await waitFor(() => expect(root.querySelector('.pp-status')).not.toBeNull(), WAIT_OPTIONS)
    if (name === 'audio' || name === 'video')
      await waitFor(() => expect(root.querySelector('.pp-play')).not.toBeNull(), WAIT_OPTIONS)
  }
}
