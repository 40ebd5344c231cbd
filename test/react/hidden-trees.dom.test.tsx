// Covers previews in a tree that React hides and shows again: it runs effects and refs again.
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Activity, type ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { PagePreview, PagePreviewProvider } from '../../src/react/index.js'
import { fakeService, page, TARGET } from './fake-service.js'
import { fakeViewport } from './fake-viewport.js'

const video = { url: 'https://a.example/58.mp4', type: 'mp4', size: null, size_pretty: null, width: null, height: null }
const { fetch } = fakeService({ data: { ...page, video } })
const queryClient = new QueryClient()

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Takes the focus from the preview, hides and shows it, and tells what has the focus then. */
async function focusAfterwards(preview: ReactNode, use: () => Promise<void>): Promise<Element | null> {
  const tree = (mode: 'hidden' | 'visible') => (
    <PagePreviewProvider fetch={fetch} queryClient={queryClient}>
      <Activity mode={mode}>{preview}</Activity>
      <input />
    </PagePreviewProvider>
  )
  const { rerender } = render(tree('visible'))
  await use()
  const input = screen.getByRole('textbox')
  input.focus()
  rerender(tree('hidden'))
  rerender(tree('visible'))
  return document.activeElement
}

it('leaves the focus alone beside a video that plays', async () => {
  // A video takes no focus here.
  const focus = vi.spyOn(HTMLVideoElement.prototype, 'focus')
  await focusAfterwards(<PagePreview url={TARGET} loading="eager" />, async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Play video' }))
  })
  expect(focus).toHaveBeenCalledTimes(1)
})

it('leaves the focus alone beside a card whose placeholder had it', async () => {
  const viewport = fakeViewport(vi.stubGlobal)
  const focused = await focusAfterwards(<PagePreview url="https://far.example/" data-testid="root" />, async () => {
    screen.getByRole('link').focus()
    viewport.move(screen.getByTestId('root'), true)
    expect(document.activeElement?.closest('[data-testid=root]')?.querySelector('.pp-body')).not.toBeNull()
  })
  expect(focused?.tagName).toBe('INPUT')
})
