import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { PagePreview } from '../src/react/index.js'
import { ferries, FERRIES_URL, radio, sail, sailUrl, stopped, times, words } from './fixture-pages.js'
import type { FixtureAnswer } from './fixture-service.js'
import { PATIENCE, readPreview } from './read-preview.js'
import { StoryService } from './story-service.js'

const meta: Meta<typeof PagePreview> = {
  title: 'PagePreview',
  component: PagePreview,
  tags: ['autodocs'],
  args: { url: FERRIES_URL, screenshot: true, layout: 'card', theme: 'auto', loading: 'eager' },
  argTypes: {
    url: { control: 'text' },
    screenshot: { control: 'boolean' },
    element: { control: 'text' },
    layout: { control: 'inline-radio', options: ['card', 'row', 'image', 'inline'] },
    theme: { control: 'inline-radio', options: ['auto', 'light', 'dark'] },
  },
  decorators: [
    (Story, { parameters }) => (
      <StoryService answers={parameters.answers as FixtureAnswer[]} hosts={parameters.hosts as string | undefined}>
        <main style={{ maxInlineSize: 402, fontFamily: 'system-ui, sans-serif' }}>
          <Story />
        </main>
      </StoryService>
    ),
  ],
  parameters: { answers: [{ page: ferries }] },
}

export default meta
type Story = StoryObj<typeof PagePreview>

/** The link works before anything is known; the box has its size already. */
export const Loading: Story = {
  parameters: { answers: [{ isPending: true }] },
  async play({ canvasElement }) {
    const { link, root } = readPreview(canvasElement)
    await expect(root).toHaveAttribute('data-state', 'loading')
    await expect(root).toHaveAttribute('aria-busy', 'true')
    await expect(link).toHaveAttribute('href', FERRIES_URL)
    await expect(link).toHaveAccessibleName('skerry.example/ferries')
    await expect(within(canvasElement).queryByRole('img')).toBeNull()
    await expect(root.getBoundingClientRect().height).toBeGreaterThan(300)
  },
}

/** A real picture with its own size, and what it weighs. */
export const Ready: Story = {
  async play({ canvasElement }) {
    const { root, link, shown } = readPreview(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'ready'), PATIENCE)
    await expect(link).toHaveAccessibleName('Ferries to the islands')
    await expect(link).toHaveAttribute('href', FERRIES_URL)
    await shown(sail)
    await expect(root).toHaveTextContent('1280 × 800')
    await expect(root).toHaveTextContent('JPG')
    await expect(root).toHaveTextContent('32.1 kB')
    await expect(root).not.toHaveAttribute('aria-busy')
  },
}

/** One part of the page, never cropped. */
export const Element: Story = {
  args: { element: '#times' },
  parameters: { answers: [{ page: { ...words, screenshot: times } }] },
  async play({ canvasElement }) {
    const { root, shown } = readPreview(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'ready'), PATIENCE)
    const image = await shown(times)
    await expect(getComputedStyle(image).objectFit).toBe('contain')
    await expect(root).toHaveTextContent('720 × 224')
    await expect(root).toHaveTextContent('PNG')
  },
}

/** The picture comes straight from the service, beside the answer. */
export const Embed: Story = {
  args: { embed: true },
  // The picture is asked by the browser itself, so its address must lead to one.
  parameters: { hosts: sailUrl },
  async play({ canvasElement }) {
    const { root, shown } = readPreview(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'ready'), PATIENCE)
    const image = await shown(sail)
    const { pathname, searchParams } = new URL(image.src)
    await expect(pathname).toBe(new URL(sailUrl, location.href).pathname)
    await expect(searchParams.get('url')).toBe(FERRIES_URL)
    await expect(searchParams.has('embed')).toBe(true)
    await expect(root).toHaveTextContent('32.1 kB')
  },
}

/** The kept picture at once, the new one as soon as it is there; the box stays as it was. */
export const StaleThenRenewed: Story = {
  args: { staleTtl: '1h' },
  parameters: {
    answers: [{ page: { ...words, screenshot: stopped }, cache: 'STALE', madeMsAgo: 7_200_000 }, { page: ferries }],
  },
  async play({ canvasElement }) {
    const { root, shown } = readPreview(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'refreshing'), PATIENCE)
    await shown(stopped)
    await expect(root).toHaveTextContent('Updating')
    const before = root.getBoundingClientRect()
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'ready'), PATIENCE)
    await shown(sail)
    await expect(root).not.toHaveTextContent('Updating')
    await expect(root.getBoundingClientRect().toJSON()).toEqual(before.toJSON())
  },
}

/** The link still works, a sentence says why, and Retry tries again. */
export const Failed: Story = {
  args: { element: '#pricing' },
  parameters: {
    answers: [
      {
        error: {
          httpStatus: 422,
          code: 'EELEMENT',
          message: 'Nothing on the page matches #pricing.',
          data: { element: 'missing' },
        },
      },
      { page: { ...words, screenshot: times } },
    ],
  },
  async play({ canvasElement }) {
    const { root, link, shown } = readPreview(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'failed'), PATIENCE)
    await expect(link).toHaveAttribute('href', FERRIES_URL)
    await waitFor(() => expect(root).toHaveTextContent('No preview: this part is not on the page.'), PATIENCE)
    const before = root.getBoundingClientRect()
    await userEvent.click(await within(root).findByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'ready'), PATIENCE)
    await shown(times)
    await expect(link).toHaveFocus()
    await expect(within(root).getByRole('status')).toHaveTextContent('The preview has loaded.')
    await expect(root.getBoundingClientRect().height).toBe(before.height)
  },
}

/** The page's own sound, loaded only when somebody starts it. */
export const Sound: Story = {
  // The parts of the browser's own player move in it.
  parameters: { moves: true, answers: [{ page: radio }] },
  async play({ canvasElement }) {
    const { root, link, shown } = readPreview(canvasElement)
    await shown(sail)
    const button = await within(root).findByRole('button', { name: 'Play audio 42:10' }, PATIENCE)
    await expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(24)
    await expect(root.querySelector('audio')).toBeNull()
    const before = root.getBoundingClientRect()
    await userEvent.click(button)
    const player = root.querySelector('audio')!
    await waitFor(() => expect(player.readyState).toBeGreaterThan(0), PATIENCE)
    await expect(player).toHaveFocus()
    await expect(link).toHaveAccessibleName('The radio that only hears Jupiter')
    await expect(root.getBoundingClientRect().height).toBe(before.height)
  },
}
