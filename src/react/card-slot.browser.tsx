'use client'

import type { ReactNode } from 'react'
import { loadFetchPreview } from './data/index.js'
import type * as Live from './live-card.js'
import type { LiveCardProps } from './live-card.js'

let loaded: typeof Live | undefined

/** Loads the card, and beside it what asks. */
export async function loadCard(): Promise<boolean> {
  // Whether it can be had is said when something is asked.
  const asking = loadFetchPreview().catch(() => undefined)
  loaded = await import('./live-card.js')
  await asking
  return true
}

/** Whether the slot is filled at once. */
export const isCardLoaded = (): boolean => Boolean(loaded)

/** Where the card comes as soon as it is loaded, as `Suspense` wants it; what is there before stays when it cannot be had. */
export function CardSlot(props: LiveCardProps): ReactNode {
  if (!loaded) throw loadCard().catch(() => new Promise(() => {}))
  return <loaded.LiveCard {...props} />
}
