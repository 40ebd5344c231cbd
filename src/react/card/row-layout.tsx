import type { ReactNode } from 'react'
import { CardBody } from './card-body.js'
import type { CardView } from './card-view.js'

/** A small image next to the texts. */
export function RowLayout({ view }: { view: CardView }): ReactNode {
  return (
    <>
      <view.Media key={view.id} view={view} />
      <CardBody view={view} skeletonLines={2} />
    </>
  )
}
