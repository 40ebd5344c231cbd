import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState, type ReactNode } from 'react'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import type { Screenshot } from '../src/query/index.js'
import { PagePreview, PagePreviewProvider } from '../src/react/index.js'
import { fixtureFetch, picture, type FixtureAnswer } from './fixture-service.js'
import sailUrl from './fixtures/ferries-sail.jpg?url'
import stoppedUrl from './fixtures/ferries-stopped.jpg?url'
import timesUrl from './fixtures/ferry-times.png?url'
import iconUrl from './fixtures/skerry.svg?no-inline'

const URL_OF_PAGE = 'https://skerry.example/ferries'
const PATIENCE = { timeout: 8_000 }

const size = { width: 1280, height: 800, type: 'jpg' } as const
const stopped = picture(stoppedUrl, { ...size, size: 30_041, size_pretty: '30 kB' })
const sail = picture(sailUrl, { ...size, size: 32_136, size_pretty: '32.1 kB' })
const times = picture(timesUrl, { width: 720, height: 224, type: 'png', size: 5_779, size_pretty: '5.78 kB' })

const icon = { url: iconUrl, type: 'svg', size: null, size_pretty: null, width: 32, height: 32 }
const words = {
  title: 'Ferries to the islands',
  description: 'Every boat of the day, harbour by harbour, and what the wind does to it.',
  logo: icon,
}

/** A page of our own making, answered within this page. */
function Service({
  answers,
  hosts,
  children,
}: {
  answers: readonly FixtureAnswer[]
  hosts?: string
  children: ReactNode
}) {
  const [queryClient] = useState(() => new QueryClient())
  const [fetch] = useState(() => fixtureFetch(answers))
  return (
    <QueryClientProvider client={queryClient}>
      <PagePreviewProvider fetch={fetch} hosts={hosts}>
        <main style={{ maxInlineSize: 402, fontFamily: 'system-ui, sans-serif' }}>{children}</main>
      </PagePreviewProvider>
    </QueryClientProvider>
  )
}

const meta: Meta<typeof PagePreview> = {
  title: 'PagePreview',
  component: PagePreview,
  tags: ['autodocs'],
  args: { url: URL_OF_PAGE, screenshot: true, layout: 'card', theme: 'auto', loading: 'eager' },
  argTypes: {
    url: { control: 'text' },
    screenshot: { control: 'boolean' },
    element: { control: 'text' },
    layout: { control: 'inline-radio', options: ['card', 'row', 'image', 'inline'] },
    theme: { control: 'inline-radio', options: ['auto', 'light', 'dark'] },
  },
  decorators: [
    (Story, { parameters }) => (
      <Service answers={parameters.answers as FixtureAnswer[]} hosts={parameters.hosts as string | undefined}>
        <Story />
      </Service>
    ),
  ],
  parameters: { answers: [{ page: { ...words, screenshot: sail } }] },
}

export default meta
type Story = StoryObj<typeof PagePreview>

/** The link works before anything is known; the box has its size already. */
export const Loading: Story = {
  parameters: { answers: [{ isPending: true }] },
  async play({ canvasElement }) {
    const { link, root } = read(canvasElement)
    await expect(root).toHaveAttribute('data-state', 'loading')
    await expect(root).toHaveAttribute('aria-busy', 'true')
    await expect(link).toHaveAttribute('href', URL_OF_PAGE)
    await expect(link).toHaveAccessibleName('skerry.example/ferries')
    await expect(within(canvasElement).queryByRole('img')).toBeNull()
    await expect(root.getBoundingClientRect().height).toBeGreaterThan(300)
  },
}

/** A real picture with its own size, and what it weighs. */
export const Ready: Story = {
  async play({ canvasElement }) {
    const { root, link, shown } = read(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'ready'), PATIENCE)
    await expect(link).toHaveAccessibleName('Ferries to the islands')
    await expect(link).toHaveAttribute('href', URL_OF_PAGE)
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
    const { root, shown } = read(canvasElement)
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
    const { root, shown } = read(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'ready'), PATIENCE)
    const image = await shown(sail)
    const { pathname, searchParams } = new URL(image.src)
    await expect(pathname).toBe(new URL(sailUrl, location.href).pathname)
    await expect(searchParams.get('url')).toBe(URL_OF_PAGE)
    await expect(searchParams.has('embed')).toBe(true)
    await expect(root).toHaveTextContent('32.1 kB')
  },
}

/** The kept picture at once, the new one as soon as it is there; the box stays as it was. */
export const StaleThenRenewed: Story = {
  args: { staleTtl: '1h' },
  parameters: {
    answers: [
      { page: { ...words, screenshot: stopped }, cache: 'STALE', madeMsAgo: 7_200_000 },
      { page: { ...words, screenshot: sail } },
    ],
  },
  async play({ canvasElement }) {
    const { root, shown } = read(canvasElement)
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
    const { root, link, shown } = read(canvasElement)
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'failed'), PATIENCE)
    await expect(link).toHaveAttribute('href', URL_OF_PAGE)
    await expect(root).toHaveTextContent('No preview: this part is not on the page.')
    const before = root.getBoundingClientRect()
    await userEvent.click(within(root).getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(root).toHaveAttribute('data-state', 'ready'), PATIENCE)
    await shown(times)
    await expect(link).toHaveFocus()
    await expect(within(root).getByRole('status')).toHaveTextContent('The preview is there now.')
    await expect(root.getBoundingClientRect().height).toBe(before.height)
  },
}

/** What a person finds on a card. */
function read(canvas: HTMLElement) {
  const root = canvas.querySelector<HTMLElement>('.page-preview')!
  return {
    root,
    link: within(root).getByRole('link'),
    /** Waits until this picture is seen: loaded, with the size that its attributes promise. */
    shown: async ({ url, width, height }: Screenshot): Promise<HTMLImageElement> => {
      const image = await within(root).findByRole<HTMLImageElement>('img', { name: 'Screenshot of skerry.example' })
      await waitFor(() => expect(image).not.toHaveAttribute('data-pending'), PATIENCE)
      await waitFor(() => expect(image.src.split('?')[0]).toContain(url.split('?')[0]), PATIENCE)
      await waitFor(() => expect([image.naturalWidth, image.naturalHeight]).toEqual([width, height]), PATIENCE)
      await expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual([`${width}`, `${height}`])
      return image
    },
  }
}
