'use client'

import { useState, type ReactNode } from 'react'
import type { IconProps } from './card-view.js'
import { StaticIcon } from './static-icon.js'

/** An icon that is replaced by the letter when it cannot be loaded. */
export function IconWithFallback({ view, part }: IconProps): ReactNode {
  const [brokenIcon, setBrokenIcon] = useState<string>()
  const { card } = view
  const isBroken = card.icon === brokenIcon
  return (
    <StaticIcon
      view={isBroken ? { ...view, card: { ...card, icon: undefined } } : view}
      part={part}
      onError={() => setBrokenIcon(card.icon)}
    />
  )
}
