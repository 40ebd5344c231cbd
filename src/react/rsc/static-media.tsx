import type { ReactNode } from 'react'
import { imageSizes } from '../../card/index.js'
import type { CardView } from '../card/card-view.js'
import { MediaFrame } from '../card/media-frame.js'
import { imageAttributes } from '../image/image-attributes.js'

/** The image of a card without any script. */
export function StaticMedia({ view }: { view: CardView }): ReactNode {
  const { tags, classNames, card, options } = view
  const image = card.image && (
    <tags.image
      {...imageAttributes({ image: card.image, sizes: imageSizes(options.layout), options })}
      className={classNames('image')}
      alt={card.alt}
      src={card.image.src}
    />
  )
  return <MediaFrame view={view} image={image} />
}
