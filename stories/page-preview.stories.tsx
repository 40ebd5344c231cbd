import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { PageError } from '../src/query/index.js'
import { PagePreview, type AppSettings } from '../src/react/index.js'
import { ar } from '../src/react/messages/index.js'
import type { FakeResponses } from '../src/testing/index.js'
import { arabic, ferries, FERRIES_URL, pending, radio, sail, sailUrl, stopped, times, words } from './fixture-pages.js'
import { nestedParameters, parameterArgTypes, stylingArgTypes } from './parameter-arg-types.js'
import { WAIT_OPTIONS, previewIn } from './preview-in.js'
import { StoryMain, StoryService } from './story-service.js'

const meta: Meta<typeof PagePreview> = {
  title: 'PagePreview',
  component: PagePreview,
  tags: ['autodocs'],
  args: { url: FERRIES_URL, screenshot: true, layout: 'card', theme: 'auto', loading: 'eager' },
  argTypes: { ...parameterArgTypes('locale'), ...stylingArgTypes },
  render: (args) => <PagePreview {...nestedParameters(args)} />,
  decorators: [
    (Story, { parameters, viewMode }) => (
      <StoryService
        responses={parameters.responses as FakeResponses}
        endpoint={parameters.endpoint as string | undefined}
        messages={parameters.messages as AppSettings['messages']}
      >
        <StoryMain viewMode={viewMode} style={{ maxInlineSize: 402, fontFamily: 'system-ui, sans-serif' }}>
          <Story />
        </StoryMain>
      </StoryService>
    ),
  ],
  parameters: { responses: ferries },
}

export default meta
type Story = StoryObj<typeof PagePreview>

/** A screenshot with its dimensions, type and size. */
export const Ready: Story = {
  async play({ canvasElement }) {
    const { root, link, loadedImage } = previewIn(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-status', 'ready'), WAIT_OPTIONS)
    await expect(link).toHaveAccessibleName('Ferries to the islands')
    await expect(link).toHaveAttribute('href', FERRIES_URL)
    await loadedImage(sail)
    await expect(root).toHaveTextContent('1280 × 800')
    await expect(root).toHaveTextContent('JPG')
    await expect(root).toHaveTextContent('32.1 kB')
    await expect(root).not.toHaveAttribute('aria-busy')
  },
}

/** The link works before the first response, and the box has its final size. */
export const Loading: Story = {
  parameters: { responses: pending },
  async play({ canvasElement }) {
    const { link, root } = previewIn(canvasElement)
    await expect(root).toHaveAttribute('data-status', 'loading')
    await expect(root).toHaveAttribute('aria-busy', 'true')
    await expect(link).toHaveAttribute('href', FERRIES_URL)
    await expect(link).toHaveAccessibleName('skerry.example/ferries')
    await expect(within(canvasElement).queryByRole('img')).toBeNull()
    await expect(root.getBoundingClientRect().height).toBeGreaterThan(300)
  },
}

/** One element of the page, never cropped. */
export const Element: Story = {
  args: { element: '#times' },
  parameters: { responses: { ...words, screenshot: times } },
  async play({ canvasElement }) {
    const { root, loadedImage } = previewIn(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-status', 'ready'), WAIT_OPTIONS)
    const image = await loadedImage(times)
    await expect(getComputedStyle(image).objectFit).toBe('contain')
    await expect(root).toHaveTextContent('720 × 224')
    await expect(root).toHaveTextContent('PNG')
  },
}

/** The browser requests the image by URL, beside the JSON. */
export const Embed: Story = {
  args: { embed: true },
  // The browser requests the image itself, so the URL must lead to one.
  parameters: { endpoint: sailUrl },
  async play({ canvasElement }) {
    const { root, loadedImage } = previewIn(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-status', 'ready'), WAIT_OPTIONS)
    const image = await loadedImage(sail)
    const { pathname, searchParams } = new URL(image.src)
    await expect(pathname).toBe(new URL(sailUrl, location.href).pathname)
    await expect(searchParams.get('url')).toBe(FERRIES_URL)
    await expect(searchParams.has('embed')).toBe(true)
    await expect(root).toHaveTextContent('32.1 kB')
  },
}

/** The cached screenshot at once, the revalidated one as soon as it is decoded; the box keeps its size. */
export const StaleThenRevalidated: Story = {
  args: { staleTtl: '1h' },
  parameters: {
    responses: [{ ...words, screenshot: stopped, cache: { status: 'STALE', ageMs: 7_200_000 } }, ferries],
  },
  async play({ canvasElement }) {
    const { root, loadedImage } = previewIn(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-status', 'refreshing'), WAIT_OPTIONS)
    await loadedImage(stopped)
    await expect(root).toHaveTextContent('Updating')
    const before = root.getBoundingClientRect()
    await waitFor(() => expect(root).toHaveAttribute('data-status', 'ready'), WAIT_OPTIONS)
    await loadedImage(sail)
    await expect(root).not.toHaveTextContent('Updating')
    await expect(root.getBoundingClientRect().toJSON()).toEqual(before.toJSON())
  },
}

/** The link still works, the card shows the reason, and the button retries. */
export const Failed: Story = {
  args: { element: '#pricing' },
  parameters: {
    responses: [
      new PageError('EELEMENT', 'Nothing on the page matches #pricing.', { data: { element: 'missing' } }),
      { ...words, screenshot: times },
    ],
  },
  async play({ canvasElement }) {
    const { root, link, loadedImage } = previewIn(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-status', 'failed'), WAIT_OPTIONS)
    await expect(link).toHaveAttribute('href', FERRIES_URL)
    await waitFor(() => expect(root).toHaveTextContent('No preview: this part is not on the page.'), WAIT_OPTIONS)
    const before = root.getBoundingClientRect()
    await userEvent.click(await within(root).findByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(root).toHaveAttribute('data-status', 'ready'), WAIT_OPTIONS)
    await loadedImage(times)
    await expect(link).toHaveFocus()
    await expect(within(root).getByRole('status')).toHaveTextContent('The preview has loaded.')
    await expect(root.getBoundingClientRect().height).toBe(before.height)
  },
}

/** On a slow network the link works from the start, and nothing moves when the preview arrives. */
export const Slow: Story = {
  tags: ['slow'],
  parameters: { responses: { ...ferries, delayMs: 1_500 } },
  async play({ canvasElement }) {
    const { root, link, hasState, loadedImage } = previewIn(canvasElement)
    await expect(root).toHaveAttribute('data-status', 'loading')
    await expect(link).toHaveAttribute('href', FERRIES_URL)
    const before = root.getBoundingClientRect()
    await hasState('ready')
    await loadedImage(sail)
    await expect(root.getBoundingClientRect().toJSON()).toEqual(before.toJSON())
  },
}

/** Over the daily limit. No preview of the page sends a request before the service allows it; then they try again by themselves. */
export const RateLimited: Story = {
  tags: ['slow'],
  parameters: {
    responses: [new PageError('ERATE', 'Daily limit of 50 previews reached.', { retryAfterMs: 2_000 }), ferries],
  },
  async play({ canvasElement }) {
    const { root, link, hasState, loadedImage } = previewIn(canvasElement)
    await hasState('failed')
    await waitFor(() => expect(root).toHaveTextContent('No preview: too many previews were requested.'), WAIT_OPTIONS)
    await expect(link).toHaveAttribute('href', FERRIES_URL)
    await hasState('ready')
    await loadedImage(sail)
  },
}

/** Without a network the link stays; when the network is back, so is the preview. */
export const Offline: Story = {
  // A request is repeated twice before it counts as failed.
  parameters: { responses: ['EFATALCLIENT', 'EFATALCLIENT', 'EFATALCLIENT', ferries] },
  async play({ canvasElement }) {
    const { root, link, hasState, loadedImage } = previewIn(canvasElement)
    window.dispatchEvent(new Event('offline'))
    await hasState('failed')
    await waitFor(
      () => expect(root).toHaveTextContent('No preview: the preview service did not respond.'),
      WAIT_OPTIONS,
    )
    await expect(link).toHaveAttribute('href', FERRIES_URL)
    window.dispatchEvent(new Event('online'))
    await hasState('ready')
    await loadedImage(sail)
  },
}

/** The caller's own data: nothing is requested. */
export const OwnData: Story = {
  args: { data: { title: 'Ferries, by hand', description: 'Written by the author of this page.', image: sail } },
  parameters: { responses: pending },
  async play({ canvasElement }) {
    const { root, link, hasState } = previewIn(canvasElement)
    await hasState('ready')
    await expect(link).toHaveAccessibleName('Ferries, by hand')
    await expect(root).toHaveTextContent('Written by the author of this page.')
    await waitFor(() => expect(root.querySelector('img.pp-image')).toHaveAccessibleName('Ferries, by hand'))
  },
}

/** Messages in Arabic give the preview its direction. */
export const RightToLeft: Story = {
  parameters: { messages: ar, responses: arabic },
  async play({ canvasElement }) {
    const { root, link, hasState } = previewIn(canvasElement)
    await hasState('ready')
    await expect(link).toHaveAccessibleName('العبّارات إلى الجزر')
    const image = await within(root).findByRole<HTMLImageElement>('img', { name: 'العبّارات إلى الجزر' })
    await waitFor(() => expect(image.naturalWidth).toBeGreaterThan(0), WAIT_OPTIONS)
    const [icon, host] = ['.pp-icon', '.pp-host'].map((part) => root.querySelector(part)!.getBoundingClientRect())
    await expect(icon!.left).toBeGreaterThan(host!.right)
  },
}

/** The page's own audio, downloaded only when the reader plays it. */
export const Audio: Story = {
  // The browser's own player shifts its controls.
  parameters: { allowsLayoutShifts: true, responses: radio },
  async play({ canvasElement }) {
    const { root, link, loadedImage } = previewIn(canvasElement)
    await loadedImage(sail)
    const button = await within(root).findByRole('button', { name: 'Play audio 42:10' }, WAIT_OPTIONS)
    await expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(24)
    await expect(root.querySelector('audio')).toBeNull()
    const before = root.getBoundingClientRect()
    await userEvent.click(button)
    const player = root.querySelector('audio')!
    await waitFor(() => expect(player.readyState).toBeGreaterThan(0), WAIT_OPTIONS)
    await expect(player).toHaveFocus()
    await expect(link).toHaveAccessibleName('The radio that only hears Jupiter')
    await expect(root.getBoundingClientRect().height).toBe(before.height)
  },
}
