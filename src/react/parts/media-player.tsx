'use client'

// Its own file because only previews with video or audio load it. It imports nothing that other previews load, so that no bundler
// splits that into another chunk.

import { useState, type ReactNode, type Ref } from 'react'
import type { Media, PageData } from '../../query/index.js'
import type { PartContent } from './preview-view.js'
import { englishPlayLabels } from '../messages/english-play-labels.js'
import type { Messages } from '../messages/messages.js'

const ICON_PATHS = { video: 'M3 1.5v13l11-6.5z', audio: 'M6 1.5v8.2A3 3 0 1 0 8 12.5V5h5V1.5z' }

/** The page's video, else its audio. */
interface PlayableMedia {
  kind: 'video' | 'audio'
  media: Media
  /** Name of the button that plays it. */
  label: string
}

interface MediaPlayerProps {
  /** A page with video or audio. */
  page: PageData
  /** The caller's texts. */
  messages: Partial<Messages> | undefined
  /** Renders the button, whose element the caller may have replaced, or the player, which has a ref. */
  children: (content: PartContent, playerRef?: Ref<HTMLElement>) => ReactNode
}

/** The button that plays the page's video or audio, and then the player in its place. */
export function MediaPlayer({ page, messages, children }: MediaPlayerProps): ReactNode {
  // The one that was clicked: a newer result may name it by another URL, which would start it again.
  const [playing, setPlaying] = useState<PlayableMedia>()
  const playable = playableMedia(page, { ...englishPlayLabels, ...messages })
  return playing
    ? children(
        player(playing, () => setPlaying(undefined)),
        focusPlayer,
      )
    : children(playButton(playable, () => setPlaying(playable)))
}

function playableMedia(page: PageData, labels: Pick<Messages, PlayableMedia['kind']>): PlayableMedia {
  const kind = page.video ? 'video' : 'audio'
  return { kind, media: page[kind]!, label: labels[kind] }
}

const playButton = ({ kind, media, label }: PlayableMedia, onClick: () => void): PartContent => ({
  tag: 'button',
  attributes: {
    type: 'button',
    'aria-label': `${label} ${media.duration_pretty ?? ''}`.trim(),
    onClick,
    children: (
      <>
        <svg width="10" height="10" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
          <path d={ICON_PATHS[kind]} />
        </svg>
        {media.duration_pretty}
      </>
    ),
  },
})

/** The browser's own player. Mounted by a click, so it plays at once; nothing of the media is downloaded before. */
const player = ({ kind, media, label }: PlayableMedia, onError: () => void): PartContent => ({
  tag: kind,
  attributes: { src: media.url, 'aria-label': label, controls: true, autoPlay: true, playsInline: true, onError },
})

const focusedPlayers = new WeakSet<HTMLElement>()

/** The ref of the player: the button that had the focus was removed. React calls it again when it shows a hidden tree again. */
function focusPlayer(element: HTMLElement | null): void {
  if (!element || focusedPlayers.has(element)) return
  focusedPlayers.add(element)
  element.focus({ preventScroll: true })
}
