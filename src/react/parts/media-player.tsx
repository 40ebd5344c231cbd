'use client'

// Its own file because only previews with video or audio load it.

import { useEffect, useRef, type ReactNode } from 'react'
import { usePartElement, type PlayProps, type PlayState } from './part.js'

const ICON_PATHS = { video: 'M3 1.5v13l11-6.5z', audio: 'M6 1.5v8.2A3 3 0 1 0 8 12.5V5h5V1.5z' }

interface MediaPlayerProps extends PlayProps {
  isPlaying: boolean
  onPlay: (isPlaying: boolean) => void
}

/** The button that plays the page's video or audio, and then the browser's own player in its place. */
export const MediaPlayer = ({ isPlaying, onPlay, ...props }: MediaPlayerProps): ReactNode =>
  isPlaying ? <Player {...props} onBroken={() => onPlay(false)} /> : <Button {...props} onPlay={onPlay} />

function Button({ view, playable, props, callerRef, onPlay }: Omit<MediaPlayerProps, 'isPlaying'>): ReactNode {
  const { kind, media, label } = playable
  const attributes = {
    type: 'button',
    'aria-label': `${label} ${media.duration_pretty ?? ''}`.trim(),
    onClick: () => onPlay(true),
    children: (
      <>
        <svg width="10" height="10" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
          <path d={ICON_PATHS[kind]} />
        </svg>
        {media.duration_pretty}
      </>
    ),
  }
  const state: PlayState = { ...view.state, isPlaying: false }
  return usePartElement({ tag: 'button', attributes }, { ...view, state }, props, callerRef)
}

/** Mounted by a click, so it plays at once; nothing of the media is downloaded before. */
function Player({
  view,
  playable: { kind: Kind, media, label },
  props,
  onBroken,
}: PlayProps & { onBroken: () => void }) {
  const player = useRef<HTMLVideoElement>(null)
  const { className, style } = props
  const state = { ...view.state, isPlaying: true }
  useEffect(() => {
    // The button that had the focus was removed.
    player.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Kind
      ref={player}
      className={typeof className === 'function' ? className(state) : className}
      style={typeof style === 'function' ? style(state) : style}
      src={media.url}
      aria-label={label}
      controls
      autoPlay
      playsInline
      onError={onBroken}
    />
  )
}
