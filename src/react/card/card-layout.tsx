import type { ReactNode } from 'react'
import { CardBody } from './card-body.js'
import type { CardView } from './card-view.js'

/** The image above the texts; next to them in a wide container. */
export function CardLayout({ view }: { view: CardView }): ReactNode {
  return (
    <>
      <view.Media key={view.id} view={view} />
      <CardBody view={view} />
    </>
  )
}
