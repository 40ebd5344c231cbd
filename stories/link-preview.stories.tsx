import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { LinkPreview } from '../src/react/index.js'
import { FERRIES_URL, sail, words } from './fixture-pages.js'
import type { FixtureAnswer } from './fixture-service.js'
import { readPreview } from './read-preview.js'
import { StoryService } from './story-service.js'

const meta: Meta<typeof LinkPreview> = {
  title: 'LinkPreview',
  component: LinkPreview,
  tags: ['autodocs'],
  args: { url: FERRIES_URL, layout: 'row', loading: 'eager' },
  decorators: [
    (Story, { parameters }) => (
      <StoryService answers={parameters.answers as FixtureAnswer[]}>
        <main style={{ maxInlineSize: 480, fontFamily: 'system-ui, sans-serif' }}>
          <Story />
        </main>
      </StoryService>
    ),
  ],
  parameters: { answers: [{ page: { ...words, image: { ...sail, background_color: undefined } } }] },
}

export default meta
type Story = StoryObj<typeof LinkPreview>

/** The picture that the page brings along. */
export const Ready: Story = {
  async play({ canvasElement }) {
    const { root, isIn } = readPreview(canvasElement)
    await isIn('ready')
    await waitFor(() => expect(root.querySelector('img.pp-image')).toHaveAccessibleName('Picture of skerry.example'))
  },
}

/** A page without one has its icon there. */
export const WithoutPicture: Story = {
  parameters: { answers: [{ page: words }] },
  async play({ canvasElement }) {
    const { root, isIn } = readPreview(canvasElement)
    await isIn('ready')
    await waitFor(() => expect(root.querySelector('img.pp-mark')).not.toBeNull())
  },
}
