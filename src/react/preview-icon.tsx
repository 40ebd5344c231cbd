'use client'

import { useState, type ReactNode } from 'react'
import { PlainIcon, type IconProps } from './plain-icon.js'

/** An icon that gives way to the letter when it cannot be shown. */
export function PreviewIcon({ view, as }: IconProps): ReactNode {
  const [broken, setBroken] = useState<string>()
  const { icon } = view
  return (
    <PlainIcon view={icon === broken ? { ...view, icon: undefined } : view} as={as} onError={() => setBroken(icon)} />
  )
}
