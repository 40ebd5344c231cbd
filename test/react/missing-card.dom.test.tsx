import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type * as Slot from '../../src/react/card-slot.browser.js'
import { PagePreview, type PagePreviewProps } from '../../src/react/index.js'
import { fakeService, page, TARGET } from './fake-service.js'

const load = vi.fn(() => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
vi.mock('../../src/react/card-slot.js', () => vi.importActual<typeof Slot>('../../src/react/card-slot.browser.js'))
vi.mock('../../src/react/live-card.js', () => load())

const service = fakeService({})

beforeEach(() => void vi.spyOn(console, 'error'))
afterEach(() => {
  cleanup()
  expect(console.error).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

it.each<[string, Partial<PagePreviewProps>]>([
  ['asked for at once', { loading: 'eager' }],
  ['near the screen', {}],
  ['with own data', { data: page }],
])('leaves the link of a preview %s where the card cannot be loaded', async (_, props) => {
  render(<PagePreview url={TARGET} {...props} fetch={service.fetch} queryClient={new QueryClient()} />)
  await vi.waitFor(() => expect(load).toHaveBeenCalled())
  await new Promise((resolve) => setImmediate(resolve))
  const link = screen.getByRole('link')
  expect(link.getAttribute('href')).toBe(TARGET)
  expect(link.textContent).toBe('shoreline.example/essays/tide-tables')
  expect(service.requests).toEqual([])
})
