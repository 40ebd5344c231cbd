'use client'

import type { ReactNode } from 'react'
import { loadFetchPreview } from '../data/page-preview-query-options.js'
import type * as Card from './interactive-card.js'
import type { InteractiveCardProps } from './interactive-card.js'

let loadedCard: typeof Card | undefined

/** Loads the card, and beside it the client, which it needs next. */
export async function loadCard(): Promise<boolean> {
  // An error of the client surfaces at the first fetch.
  const client = loadFetchPreview().catch(() => undefined)
  loadedCard = await import('./interactive-card.js')
  await client
  return true
}

export const isCardLoaded = (): boolean => Boolean(loadedCard)

/** Suspends until the card is loaded; for good if it cannot be, so that the fallback stays. */
export function DeferredCard(props: InteractiveCardProps): ReactNode {
  if (!loadedCard) throw loadCard().catch(() => new Promise(() => {}))
  return <loadedCard.InteractiveCard {...props} />
}
