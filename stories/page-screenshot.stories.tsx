import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor, within } from 'storybook/test'
import { PageScreenshot } from '../src/react/index.js'
import type { FakeResponses } from '../src/testing/index.js'
import { ferries, FERRIES_URL, sailUrl } from './fixture-pages.js'
import { nestedParameters, parameterArgTypes } from './parameter-arg-types.js'
import { WAIT_OPTIONS } from './preview-in.js'
import { StoryMain, StoryService } from './story-service.js'

const meta: Meta<typeof PageScreenshot> = {
  title: 'PageScreenshot',
  component: PageScreenshot,
  tags: ['autodocs'],
  args: { url: FERRIES_URL, loading: 'eager', width: 640, height: 400 },
  argTypes: { ...parameterArgTypes('screenshot') },
  render: (args) => <PageScreenshot {...nestedParameters(args)} />,
  decorators: [
    (Story, { parameters, viewMode }) => (
      // The browser requests the image itself, so the URL must lead to one.
      <StoryService responses={parameters.responses as FakeResponses} endpoint={parameters.endpoint as string}>
        <StoryMain viewMode={viewMode}>
          <Story />
        </StoryMain>
      </StoryService>
    ),
  ],
  parameters: { responses: ferries, endpoint: sailUrl },
}

export default meta
type Story = StoryObj<typeof PageScreenshot>

const image = (canvas: HTMLElement) => within(canvas).findByRole<HTMLImageElement>('img')

/** A plain image. */
export const Ready: Story = {
  async play({ canvasElement }) {
    const screenshot = await image(canvasElement)
    await waitFor(() => expect(screenshot.naturalWidth).toBeGreaterThan(0), WAIT_OPTIONS)
    await waitFor(() => expect(screenshot.style.backgroundColor).toBe('rgb(238, 244, 241)'), WAIT_OPTIONS)
    await expect([screenshot.offsetWidth, screenshot.offsetHeight]).toEqual([640, 400])
  },
}

/** An empty box of the same size when there is no image. */
export const Failed: Story = {
  parameters: {
    responses: 'EFORBIDDENURL',
    endpoint: '/nothing-here',
  },
  async play({ canvasElement }) {
    await waitFor(async () => expect((await image(canvasElement)).tagName).toBe('CANVAS'), WAIT_OPTIONS)
    const box = await image(canvasElement)
    await expect([box.offsetWidth, box.offsetHeight]).toEqual([640, 400])
  },
}

/** The caller's fallback when there is no image. */
export const Fallback: Story = {
  ...Failed,
  args: { fallback: <div style={{ inlineSize: 640, blockSize: 400 }}>No screenshot today.</div> },
  async play({ canvas }) {
    await canvas.findByText('No screenshot today.', {}, WAIT_OPTIONS)
  },
}

/** Never wider than its column: an image, and the box in its place. */
export const Narrow: Story = {
  ...Failed,
  args: { width: undefined, height: undefined },
  render: (args) => (
    <div style={{ inlineSize: 320 }}>
      <PageScreenshot {...nestedParameters(args)} />
    </div>
  ),
  async play({ canvasElement }) {
    await waitFor(async () => expect((await image(canvasElement)).tagName).toBe('CANVAS'), WAIT_OPTIONS)
    const box = await image(canvasElement)
    await expect([box.offsetWidth, box.offsetHeight]).toEqual([320, 200])
  },
}
