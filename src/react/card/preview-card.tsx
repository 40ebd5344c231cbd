import type { ReactNode } from 'react'
import { CardLayout } from './card-layout.js'
import type { CardView } from './card-view.js'
import { ImageLayout } from './image-layout.js'
import { InlineLayout } from './inline-layout.js'
import { RowLayout } from './row-layout.js'

/** The content of a preview, inside its root element. */
export function PreviewCard({ view }: { view: CardView }): ReactNode {
  switch (view.options.layout) {
    case 'inline':
      return <InlineLayout view={view} />
    case 'image':
      return <ImageLayout view={view} />
    case 'row':
      return <RowLayout view={view} />
    default:
      return <CardLayout view={view} />
  }
}
