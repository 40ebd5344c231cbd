import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/**
 * Takes away after each test what it rendered; nothing may have been said: React warns of what its version does not know. What
 * is called last comes first after a test.
 */
export function quietConsole(): void {
  beforeEach(() => void vi.spyOn(console, 'error'))
  afterEach(() => {
    cleanup()
    const { calls } = vi.mocked(console.error).mock
    vi.restoreAllMocks()
    expect(calls).toEqual([])
  })
}
