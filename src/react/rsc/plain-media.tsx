import type { ReactNode } from 'react'
import { imageSizes } from '../../card/index.js'
import { imageAttributes } from '../image-attributes.js'
import { MediaBox } from '../media-box.js'
import type { PreviewView } from '../preview-view.js'

/** The picture as the browser alone shows it. */
export function PlainMedia({ view }: { view: PreviewView }): ReactNode {
  const { tags, name, picture, alt, options } = view
  const image = picture && (
    <tags.image
      {...imageAttributes({ picture, sizes: imageSizes(options.layout), options })}
      className={name('image')}
      alt={alt}
      src={picture.src}
    />
  )
  return <MediaBox view={view} image={image} />
}
