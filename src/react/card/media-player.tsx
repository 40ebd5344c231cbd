'use client'

// Its own file because only previews with video or audio load it.

import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { CardView, PlayableMedia } from './card-view.js'

const ICON_PATHS = { video: 'M3 1.5v13l11-6.5z', audio: 'M6 1.5v8.2A3 3 0 1 0 8 12.5V5h5V1.5z' }

/** The button that plays the page's video or audio, and then the browser's own player in its place. */
export function MediaPlayer({ view, playable }: { view: CardView; playable: PlayableMedia }): ReactNode {
  const [isPlaying, setIsPlaying] = useState(false)
  const { classNames } = view
  const { kind, media, label } = playable
  if (isPlaying) return <Player className={classNames('player')} {...playable} onBroken={() => setIsPlaying(false)} />
  return (
    <button
      className={classNames('play')}
      type="button"
      aria-label={`${label} ${media.duration_pretty ?? ''}`.trim()}
      onClick={() => setIsPlaying(true)}
    >
      <svg width="10" height="10" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
        <path d={ICON_PATHS[kind]} />
      </svg>
      {media.duration_pretty}
    </button>
  )
}

interface PlayerProps extends PlayableMedia {
  className: string | undefined
  onBroken: () => void
}

/** Mounted by a click, so it plays at once; nothing of the media is downloaded before. */
function Player({ kind: Kind, media, label, className, onBroken }: PlayerProps): ReactNode {
  const player = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    // The button that had the focus was removed.
    player.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Kind
      ref={player}
      className={className}
      src={media.url}
      aria-label={label}
      controls
      autoPlay
      playsInline
      onError={onBroken}
    />
  )
}
