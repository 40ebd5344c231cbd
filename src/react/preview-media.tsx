'use client'

import { useState, type ReactNode } from 'react'
import { PreviewIcon } from './preview-icon.js'
import { PreviewImage } from './preview-image.js'
import { partClass, type PreviewView } from './preview-view.js'

/** The picture, or the mark in its place, with the note on it. */
export function PreviewMedia({ view }: { view: PreviewView }): ReactNode {
  const [broken, setBroken] = useState<readonly string[]>([])
  const { picture, description, note, isBusy, messages, address } = view
  const src = picture && [picture.src, picture.otherSrc].find((src) => src && !broken.includes(src))
  const isAwaited = !picture && description === undefined
  return (
    <div className={partClass(view, 'media')}>
      {picture && src ? (
        <PreviewImage
          className={partClass(view, 'image')}
          src={src}
          width={picture.width}
          height={picture.height}
          alt={view.alt ?? (picture.isScreenshot ? messages.screenshot : messages.image)(address.host)}
          loading={view.loading}
          onBroken={() => setBroken([...broken, src])}
        />
      ) : (
        !isAwaited && <PreviewIcon view={view} as="mark" />
      )}
      {note && (
        <span className={partClass(view, 'note')}>
          {isBusy && <span className="pp-spin" />}
          <span>{note}</span>
        </span>
      )}
    </div>
  )
}
