'use client'

import type { ReactNode } from 'react'
import { PreviewIcon } from './preview-icon.js'
import { PreviewImage } from './preview-image.js'
import type { PreviewView } from './preview-view.js'
import { useLoaded } from './use-loaded.js'
import { usePictureSource } from './use-picture-source.js'

const SIZES = {
  card: '(max-width: 36em) 100vw, 36em',
  row: '12em',
  image: '100vw',
}
const loadPlayer = () => import('./preview-player.js')

/** The picture, or the mark in its place, with what lies on it: the note, and the button that starts audio or video. */
export function PreviewMedia({ view }: { view: PreviewView }): ReactNode {
  const { tags, name, picture, description, note, isBusy, sound, options } = view
  const { fallback, placeholder, layout } = options
  const { PreviewPlayer } = useLoaded(loadPlayer, Boolean(sound)) ?? {}
  const [src, onBroken] = usePictureSource(picture)
  return (
    <tags.media className={name('media')}>
      {picture && src ? (
        <PreviewImage
          as={tags.image}
          className={name('image')}
          picture={{ ...picture, src }}
          alt={view.alt}
          sizes={SIZES[layout === 'row' || layout === 'image' ? layout : 'card']}
          options={options}
          onBroken={onBroken}
        />
      ) : !picture && description === undefined ? (
        placeholder
      ) : (
        (fallback ?? <PreviewIcon view={view} as="mark" />)
      )}
      {note && (
        // Another note is another element: one that changed its width would count as a shift.
        <tags.note key={note} className={name('note')}>
          {isBusy && <span className={name('spin')} />}
          <span>{note}</span>
        </tags.note>
      )}
      {PreviewPlayer && sound && <PreviewPlayer view={view} sound={sound} />}
    </tags.media>
  )
}
