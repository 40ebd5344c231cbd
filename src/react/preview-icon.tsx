'use client'

import { useState, type ReactNode } from 'react'
import type { PreviewView } from './preview-view.js'

const SIZE = { icon: 16, mark: 64 }

/** The page's icon, or the first letter of its host: small beside the host, or as the mark that stands for a picture. */
export function PreviewIcon({ view, as }: { view: PreviewView; as: 'icon' | 'mark' }): ReactNode {
  const [broken, setBroken] = useState<string>()
  const { tags, name, icon, address, options } = view
  const hasIcon = icon && icon !== broken
  const Tag = tags[as] ?? (hasIcon ? 'img' : 'span')
  if (!hasIcon)
    return (
      <Tag className={name(as)} aria-hidden="true">
        {address.letter}
      </Tag>
    )
  return (
    <Tag
      className={name(as)}
      width={SIZE[as]}
      height={SIZE[as]}
      alt=""
      referrerPolicy={options.referrerPolicy}
      src={icon}
      onError={() => setBroken(icon)}
    />
  )
}
