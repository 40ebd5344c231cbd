import type { ReactNode } from 'react'
import type { PreviewView } from './preview-view.js'

/** Which of the two places an icon stands in: small beside the host, or as the mark in the place of a picture. */
export interface IconProps {
  view: PreviewView
  as: 'icon' | 'mark'
}

const SIZE = { icon: 16, mark: 64 }

/** The page's icon, or the first letter of its host. */
export function PlainIcon({ view, as, onError }: IconProps & { onError?: () => void }): ReactNode {
  const { tags, name, icon, address, options } = view
  const Tag = tags[as] ?? (icon ? 'img' : 'span')
  if (!icon)
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
      onError={onError}
    />
  )
}
