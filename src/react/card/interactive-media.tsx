'use client'

import { useState, type ReactNode } from 'react'
import { imageSizes } from '../../card/index.js'
import { useLazyModule } from '../use-lazy-module.js'
import type { CardView, IconProps } from './card-view.js'
import { FadeInImage, useImageSource } from './interactive-image.js'
import { MediaFrame, StaticIcon } from './preview-card.js'

const loadMediaPlayer = () => import('./media-player.js')

/** The image of a card, or the mark instead of it, with the note and the play button on top. */
export function InteractiveMedia({ view }: { view: CardView }): ReactNode {
  const { tags, classNames, card, note, isBusy, playable, options } = view
  const { MediaPlayer } = useLazyModule(loadMediaPlayer, Boolean(playable)) ?? {}
  const [source, onBroken] = useImageSource(card.image)
  const image = source && (
    <FadeInImage
      as={tags.image}
      className={classNames('image')}
      image={source}
      alt={card.alt}
      sizes={imageSizes(options.layout)}
      options={options}
      onBroken={onBroken}
    />
  )
  return (
    <MediaFrame view={view} image={image}>
      {note && (
        // Keyed by its text: an element that changes its width counts as a layout shift, a new one does not.
        <tags.note key={note} className={classNames('note')}>
          {isBusy && <span className={classNames('spin')} />}
          <span>{note}</span>
        </tags.note>
      )}
      {MediaPlayer && playable && <MediaPlayer view={view} playable={playable} />}
    </MediaFrame>
  )
}

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
