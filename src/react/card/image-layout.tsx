import type { ReactNode } from 'react'
import { CardFooter } from './card-footer.js'
import { CardLink } from './card-link.js'
import type { CardView } from './card-view.js'
import { joinNames } from './class-names.js'

/** The image with a caption: the link is in the footer, in place of the host. */
export function ImageLayout({ view }: { view: CardView }): ReactNode {
  const { classNames } = view
  return (
    <>
      <view.Media key={view.id} view={view} />
      <CardFooter view={view}>
        <CardLink view={view} className={joinNames(classNames('link'), classNames('host'))} />
      </CardFooter>
    </>
  )
}
