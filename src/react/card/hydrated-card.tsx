'use client'

import { Suspense, useState, type ReactNode } from 'react'
import { useIsHydrated } from '../hooks/use-is-hydrated.js'
import { DeferredCard } from './deferred-card.js'
import type { InteractiveCardProps } from './interactive-card.js'

interface HydratedCardProps {
  props: InteractiveCardProps
  /** Shown until the card is loaded. */
  placeholder: ReactNode
}

/**
 * A card in the first render. It keeps the server's markup until the card is loaded and hydrated: React discards markup whose
 * props change before, so it gets the same element until then.
 */
export function HydratedCard({ props, placeholder }: HydratedCardProps): ReactNode {
  const [isCardHydrated, setIsCardHydrated] = useState(useIsHydrated())
  const card = (
    <Suspense fallback={placeholder}>
      <DeferredCard {...props} onMount={setIsCardHydrated} />
    </Suspense>
  )
  const [firstCard] = useState(card)
  return isCardHydrated ? card : firstCard
}
