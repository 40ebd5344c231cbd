'use client'

import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { PreviewView, Sound } from './preview-view.js'

const SHAPES = { video: 'M3 1.5v13l11-6.5z', audio: 'M6 1.5v8.2A3 3 0 1 0 8 12.5V5h5V1.5z' }
/** The button that starts the page's video or audio, and then the browser's own player in its place. */
export function PreviewPlayer({ view, sound }: { view: PreviewView; sound: Sound }): ReactNode {
  const [isPlaying, setIsPlaying] = useState(false)
  const { tags, name } = view
  const { kind, media, label } = sound
  if (isPlaying) return <Player className={name('player')} {...sound} onBroken={() => setIsPlaying(false)} />
  return (
    <tags.badge
      className={name('badge')}
      type="button"
      aria-label={`${label} ${media.duration_pretty ?? ''}`.trim()}
      onClick={() => setIsPlaying(true)}
    >
      <svg width="10" height="10" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
        <path d={SHAPES[kind]} />
      </svg>
      {media.duration_pretty}
    </tags.badge>
  )
}

interface PlayerProps extends Sound {
  className: string | undefined
  onBroken: () => void
}

/** Nothing of it is loaded before; whoever asked for it hears it at once. */
function Player({ kind: Kind, media, label, className, onBroken }: PlayerProps): ReactNode {
  const player = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    // The button that had the focus has gone.
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
