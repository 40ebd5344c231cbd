import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor } from 'storybook/test'
import { HoverPreview } from '../src/react/index.js'
import { ferries, FERRIES_URL } from './fixture-pages.js'
import type { FixtureAnswer } from './fixture-service.js'
import { PATIENCE } from './read-preview.js'
import { StoryService } from './story-service.js'

const meta: Meta<typeof HoverPreview> = {
  title: 'HoverPreview',
  component: HoverPreview,
  tags: ['autodocs'],
  args: { screenshot: true, children: <a href={FERRIES_URL}>the ferries</a> },
  decorators: [
    (Story, { parameters }) => (
      <StoryService answers={parameters.answers as FixtureAnswer[]}>
        <main
          data-picture={parameters.picture as string | undefined}
          style={{ fontFamily: 'system-ui, sans-serif', minBlockSize: 480, color: '#18181b', background: '#fff' }}
        >
          <p style={{ margin: 0 }}>
            We took <Story /> in the morning.
          </p>
        </main>
      </StoryService>
    ),
  ],
  parameters: { answers: [{ page: ferries }] },
}

export default meta
type Story = StoryObj<typeof HoverPreview>

/** A link like any other, until somebody means it. */
export const Closed: Story = {}

/** By keyboard, as by pointing; what is in there can neither be clicked nor focused. */
export const Open: Story = {
  parameters: { picture: 'hover-preview' },
  async play({ canvas, canvasElement }) {
    const link = canvas.getByRole('link')
    await userEvent.tab()
    await expect(link).toHaveFocus()
    const card = () => canvasElement.querySelector('.pp-popover')
    await waitFor(() => expect(card()).toBeVisible(), PATIENCE)
    await waitFor(() => expect(card()).toHaveTextContent('Ferries to the islands'), PATIENCE)
    await waitFor(() => expect(card()?.querySelector('[data-pending]')).toBeNull(), PATIENCE)
    await expect(link).toHaveAccessibleName('the ferries')
    await expect(canvas.getAllByRole('link')).toHaveLength(1)
  },
}

/** In the dark. */
export const OpenInTheDark: Story = {
  ...Open,
  args: { ...meta.args, theme: 'dark' },
  parameters: { picture: 'hover-preview-dark' },
}
