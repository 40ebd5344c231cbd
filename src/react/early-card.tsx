'use client'

import { Suspense, useState, type ReactNode } from 'react'
import { CardSlot } from './card-slot.js'
import type { PagePreviewProps } from './page-preview-props.js'
import { useIsClient } from './use-is-client.js'

interface EarlyCardProps {
  props: PagePreviewProps
  /** Stands there until the card is loaded. */
  place: ReactNode
}

/**
 * A card that is there from the first render. Markup from a server stays untouched until the card is loaded and has taken it
 * over: React would throw it away if anything changed before.
 */
export function EarlyCard({ props, place }: EarlyCardProps): ReactNode {
  const [isHydrated, setIsHydrated] = useState(useIsClient())
  const card = (
    <Suspense fallback={place}>
      <CardSlot {...props} onMount={setIsHydrated} />
    </Suspense>
  )
  const [first] = useState(card)
  return isHydrated ? card : first
}
