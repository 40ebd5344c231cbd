'use client'

import { useState, type ReactNode } from 'react'
import { partClass, type PreviewView } from './preview-view.js'

const SIZE = { icon: 16, mark: 64 }

/** The page's icon, or the first letter of its host: small beside the host, or as the mark that stands for a picture. */
export function PreviewIcon({ view, as }: { view: PreviewView; as: 'icon' | 'mark' }): ReactNode {
  const [broken, setBroken] = useState<string>()
  const { icon, address } = view
  const className = partClass(view, as)
  if (!icon || icon === broken)
    return (
      <span className={className} aria-hidden="true">
        {address.letter}
      </span>
    )
  return (
    <img className={className} width={SIZE[as]} height={SIZE[as]} alt="" src={icon} onError={() => setBroken(icon)} />
  )
}
