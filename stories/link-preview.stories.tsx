import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { LinkPreview } from '../src/react/index.js'
import { FERRIES_URL, sail, words } from './fixture-pages.js'
import type { FixtureResponse } from './fixture-service.js'
import { nestedParameters, parameterArgTypes, stylingArgTypes } from './parameter-arg-types.js'
import { previewIn } from './preview-in.js'
import { StoryMain, StoryService } from './story-service.js'

const meta: Meta<typeof LinkPreview> = {
  title: 'LinkPreview',
  component: LinkPreview,
  tags: ['autodocs'],
  args: { url: FERRIES_URL, layout: 'row', loading: 'eager' },
  argTypes: { ...parameterArgTypes('locale', 'screenshot', 'element', 'embed'), ...stylingArgTypes },
  render: (args) => <LinkPreview {...nestedParameters(args)} />,
  decorators: [
    (Story, { parameters, viewMode }) => (
      <StoryService responses={parameters.responses as FixtureResponse[]}>
        <StoryMain viewMode={viewMode} style={{ maxInlineSize: 480, fontFamily: 'system-ui, sans-serif' }}>
          <Story />
        </StoryMain>
      </StoryService>
    ),
  ],
  parameters: { responses: [{ page: { ...words, image: { ...sail, background_color: undefined } } }] },
}

export default meta
type Story = StoryObj<typeof LinkPreview>

/** With the image of the page itself. */
export const Ready: Story = {
  async play({ canvasElement }) {
    const { root, hasState } = previewIn(canvasElement)
    await hasState('ready')
    await waitFor(() => expect(root.querySelector('img.pp-image')).toHaveAccessibleName('Picture of skerry.example'))
  },
}

/** Without an image, the page's icon takes its place. */
export const WithoutImage: Story = {
  parameters: { responses: [{ page: words }] },
  async play({ canvasElement }) {
    const { root, hasState } = previewIn(canvasElement)
    await hasState('ready')
    await waitFor(() => expect(root.querySelector('img.pp-fallback')).not.toBeNull())
  },
}
