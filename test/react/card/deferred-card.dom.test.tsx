import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type * as Deferred from '../../../src/react/card/deferred-card.browser.js'
import { fakeService, TARGET } from '../fake-service.js'

const load = vi.fn(() => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
vi.mock('../../../src/react/card/deferred-card.js', () =>
  vi.importActual<typeof Deferred>('../../../src/react/card/deferred-card.browser.js'),
)
vi.mock('../../../src/react/card/interactive-card.js', () => load())

// The tests of other files share modules with this one, and have loaded the card.
vi.resetModules()
const { PagePreview } = await import('../../../src/react/index.js')
const service = fakeService({})

beforeEach(() => void vi.spyOn(console, 'error'))
afterEach(() => {
  cleanup()
  expect(console.error).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

it('keeps the link when the card cannot be loaded', async () => {
  render(<PagePreview url={TARGET} fetch={service.fetch} queryClient={new QueryClient()} />)
  await vi.waitFor(() => expect(load).toHaveBeenCalled())
  await new Promise((resolve) => setImmediate(resolve))
  const link = screen.getByRole('link')
  expect(link.getAttribute('href')).toBe(TARGET)
  expect(link.textContent).toBe('shoreline.example/essays/tide-tables')
  expect(service.requests).toEqual([])
})
