'use client'

import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** `false` on a server and while its markup is taken over, so that both render the same. */
export function useIsClient(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
