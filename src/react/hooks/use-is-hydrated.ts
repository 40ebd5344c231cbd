'use client'

import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/** `false` on a server and during hydration, so that both render the same markup; `true` afterwards. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}
