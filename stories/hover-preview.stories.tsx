import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor } from 'storybook/test'
import { HoverPreview } from '../src/react/index.js'
import type { FakeResponses } from '../src/testing/index.js'
import { ferries, FERRIES_URL } from './fixture-pages.js'
import { nestedParameters, parameterArgTypes, stylingArgTypes } from './parameter-arg-types.js'
import { WAIT_OPTIONS } from './preview-in.js'
import { StoryMain, StoryService } from './story-service.js'

const meta: Meta<typeof HoverPreview> = {
  title: 'HoverPreview',
  component: HoverPreview,
  tags: ['autodocs'],
  args: { screenshot: true, children: <a href={FERRIES_URL}>the ferries</a> },
  argTypes: { ...parameterArgTypes('locale'), ...stylingArgTypes },
  render: (args) => <HoverPreview {...nestedParameters(args)} />,
  decorators: [
    (Story, { parameters, viewMode }) => (
      <StoryService responses={parameters.responses as FakeResponses}>
        <StoryMain
          viewMode={viewMode}
          data-baseline={parameters.baseline as string | undefined}
          style={{ fontFamily: 'system-ui, sans-serif', minBlockSize: 480, color: '#18181b', background: '#fff' }}
        >
          <p style={{ margin: 0 }}>
            We took <Story /> in the morning.
          </p>
        </StoryMain>
      </StoryService>
    ),
  ],
  parameters: { responses: ferries },
}

export default meta
type Story = StoryObj<typeof HoverPreview>

/** A plain link until it is hovered. */
export const Closed: Story = {}

/** Opened by keyboard focus, like by hovering; nothing in it can be clicked or focused. */
export const Open: Story = {
  parameters: { baseline: 'hover-preview' },
  async play({ canvas, canvasElement }) {
    const link = canvas.getByRole('link')
    await userEvent.tab()
    await expect(link).toHaveFocus()
    const card = () => canvasElement.querySelector('.pp-popover')
    await waitFor(() => expect(card()).toBeVisible(), WAIT_OPTIONS)
    await waitFor(() => expect(card()).toHaveTextContent('Ferries to the islands'), WAIT_OPTIONS)
    await waitFor(() => expect(card()?.querySelector('[data-pending]')).toBeNull(), WAIT_OPTIONS)
    await expect(link).toHaveAccessibleName('the ferries')
    await expect(canvas.getAllByRole('link')).toHaveLength(1)
  },
}

/** With the dark theme. */
export const OpenDark: Story = {
  ...Open,
  args: { ...meta.args, theme: 'dark' },
  parameters: { baseline: 'hover-preview-dark' },
}
