import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor, within } from 'storybook/test'
import { PageScreenshot } from '../src/react/index.js'
import { ferries, FERRIES_URL, sail, sailUrl } from './fixture-pages.js'
import type { FixtureAnswer } from './fixture-service.js'
import { PATIENCE } from './read-preview.js'
import { StoryService } from './story-service.js'

const meta: Meta<typeof PageScreenshot> = {
  title: 'PageScreenshot',
  component: PageScreenshot,
  tags: ['autodocs'],
  args: { url: FERRIES_URL, loading: 'eager', width: 640, height: 400 },
  decorators: [
    (Story, { parameters }) => (
      // The picture is asked by the browser itself, so its address must lead to one.
      <StoryService answers={parameters.answers as FixtureAnswer[]} hosts={parameters.hosts as string}>
        <main>
          <Story />
        </main>
      </StoryService>
    ),
  ],
  parameters: { answers: [{ page: ferries }], hosts: sailUrl },
}

export default meta
type Story = StoryObj<typeof PageScreenshot>

const image = (canvas: HTMLElement) =>
  within(canvas).findByRole<HTMLImageElement>('img', { name: 'Screenshot of skerry.example' })

/** An image like any other. */
export const Ready: Story = {
  async play({ canvasElement }) {
    const shown = await image(canvasElement)
    await waitFor(() => expect(shown.naturalWidth).toBe(sail.width), PATIENCE)
    await waitFor(() => expect(shown.style.backgroundColor).toBe('rgb(238, 244, 241)'), PATIENCE)
    await expect([shown.offsetWidth, shown.offsetHeight]).toEqual([640, 400])
  },
}

/** An empty box of the same size when there is nothing to show. */
export const Failed: Story = {
  parameters: {
    answers: [{ error: { httpStatus: 403, code: 'EFORBIDDENURL', message: 'Not public.' } }],
    hosts: '/nothing-here',
  },
  async play({ canvasElement }) {
    await waitFor(async () => expect((await image(canvasElement)).tagName).toBe('CANVAS'), PATIENCE)
    const box = await image(canvasElement)
    await expect([box.offsetWidth, box.offsetHeight]).toEqual([640, 400])
  },
}

/** Whatever the author wants to stand there instead. */
export const Fallback: Story = {
  ...Failed,
  args: { fallback: <div style={{ inlineSize: 640, blockSize: 400 }}>No picture today.</div> },
  async play({ canvas }) {
    await canvas.findByText('No picture today.', {}, PATIENCE)
  },
}
