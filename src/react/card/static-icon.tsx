import type { ReactNode } from 'react'
import type { IconProps } from './card-view.js'

const PIXELS = { icon: 16, mark: 64 }

/** The page's icon, or the first letter of its host. */
export function StaticIcon({ view, part, onError }: IconProps & { onError?: () => void }): ReactNode {
  const { tags, classNames, options } = view
  const { icon, displayUrl } = view.card
  const Tag = tags[part] ?? (icon ? 'img' : 'span')
  if (!icon)
    return (
      <Tag className={classNames(part)} aria-hidden="true">
        {displayUrl.letter}
      </Tag>
    )
  return (
    <Tag
      className={classNames(part)}
      width={PIXELS[part]}
      height={PIXELS[part]}
      alt=""
      referrerPolicy={options.referrerPolicy}
      src={icon}
      onError={onError}
    />
  )
}
