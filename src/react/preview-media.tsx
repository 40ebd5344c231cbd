'use client'

import type { ReactNode } from 'react'
import { imageSizes } from './data/index.js'
import { MediaBox } from './media-box.js'
import { PreviewImage } from './preview-image.js'
import type { PreviewView } from './preview-view.js'
import { useLoaded } from './use-loaded.js'
import { useImageSource } from './use-image-source.js'

const loadPlayer = () => import('./preview-player.js')

/** The picture, or the mark in its place, with what lies on it: the note, and the button that starts audio or video. */
export function PreviewMedia({ view }: { view: PreviewView }): ReactNode {
  const { tags, name, picture, note, isBusy, sound, options } = view
  const { PreviewPlayer } = useLoaded(loadPlayer, Boolean(sound)) ?? {}
  const [src, onBroken] = useImageSource(picture)
  const image = picture && src && (
    <PreviewImage
      as={tags.image}
      className={name('image')}
      picture={{ ...picture, src }}
      alt={view.alt}
      sizes={imageSizes(options.layout)}
      options={options}
      onBroken={onBroken}
    />
  )
  return (
    <MediaBox view={view} image={image}>
      {note && (
        // Another note is another element: one that changed its width would count as a shift.
        <tags.note key={note} className={name('note')}>
          {isBusy && <span className={name('spin')} />}
          <span>{note}</span>
        </tags.note>
      )}
      {PreviewPlayer && sound && <PreviewPlayer view={view} sound={sound} />}
    </MediaBox>
  )
}
