'use client'

import { memo, useRef, useState, type ImgHTMLAttributes, type ReactNode } from 'react'
import type { PageQuery } from '../query/index.js'
import {
  toDisplayUrl,
  chooseImage,
  previewRequest,
  sameProps,
  type CardImage,
  type SourceOptions,
} from './data/index.js'
import { imageAttributes } from './image-attributes.js'
import { splitProps } from './page-preview-props.js'
import { useDefaults } from './page-preview-provider.js'
import { useLoaded } from './use-loaded.js'
import { useImageSource } from './use-image-source.js'

export interface PageScreenshotOptions extends SourceOptions {
  /** Stands in the place of the picture while there is none. Default: an empty box of its size. */
  fallback?: ReactNode
}

/** Every word of the query language, the options above, and any attribute of an `<img>`; the words go first. */
export interface PageScreenshotProps
  extends
    PageQuery,
    PageScreenshotOptions,
    Omit<ImgHTMLAttributes<HTMLImageElement>, keyof PageQuery | keyof PageScreenshotOptions | 'src' | 'srcSet'> {}

const loadFreshPicture = () => import('./fresh-picture.js')

/**
 * The picture of a page and nothing else: an `<img>` that is there at once, and what keeps it fresh is loaded after it. What
 * cannot be shown leaves an empty box of the same size, with the same words for those who do not see it.
 */
export const PageScreenshot = memo(function PageScreenshot({
  onLoad,
  onError,
  sizes = '100vw',
  ...props
}: PageScreenshotProps): ReactNode {
  const element = useRef<HTMLImageElement>(null)
  const { query, options, attributes } = splitProps({ screenshot: true, embed: true, ...useDefaults(props) })
  const { FreshPicture } = useLoaded(loadFreshPicture, true) ?? {}
  const [fresh, setFresh] = useState<{ id: string; picture: CardImage }>()

  const id = JSON.stringify(query)
  const isFresh = fresh?.id === id
  const picture = isFresh
    ? fresh.picture
    : chooseImage(options.data, { embed: options.data ? undefined : previewRequest(query, options).embed })
  const [src, onBroken] = useImageSource(picture)
  const { width = 1280, height = 800, background } = picture ?? {}
  const { alt = `Screenshot of ${toDisplayUrl(query.url).host}`, fallback } = options
  const box = {
    width,
    height,
    ...attributes,
    // Of what a browser was told alone: in markup from a server it would be an attribute that a strict policy forbids.
    style: isFresh ? { backgroundColor: background, ...attributes.style } : attributes.style,
  }
  return (
    <>
      {picture && src ? (
        <img
          key={id}
          {...imageAttributes({ picture, sizes, options })}
          {...box}
          ref={element}
          alt={alt}
          src={src}
          onLoad={onLoad}
          onError={(event) => {
            onError?.(event)
            onBroken()
          }}
        />
      ) : (
        (fallback ?? <canvas {...box} role="img" aria-label={alt} />)
      )}
      {FreshPicture && (
        <FreshPicture key={`fresh ${id}`} {...{ id, query, options, element, onBroken }} onPicture={setFresh} />
      )}
    </>
  )
}, sameProps)
