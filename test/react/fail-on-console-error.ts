import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/**
 * Fails a test in which React or a component has called `console.error`, and unmounts what it rendered. Call it after other
 * `afterEach` hooks of the file: hooks run in reverse order.
 */
export function failOnConsoleError(): void {
  beforeEach(() => void vi.spyOn(console, 'error'))
  afterEach(() => {
    cleanup()
    const { calls } = vi.mocked(console.error).mock
    vi.restoreAllMocks()
    expect(calls).toEqual([])
  })
}
