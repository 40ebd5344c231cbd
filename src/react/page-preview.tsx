'use client'

import { memo, useState, type ReactNode } from 'react'
import { CardSlot, isCardLoaded, loadCard } from './card-slot.js'
import { hasCachedResult, sameProps, useNearViewport, usePreviewClient } from './data/index.js'
import { EarlyCard } from './early-card.js'
import { splitProps, type PagePreviewProps } from './page-preview-props.js'
import { useDefaults } from './page-preview-provider.js'
import { previewPlace } from './preview-place.js'
import { useLoaded } from './use-loaded.js'

/**
 * A page inside this page: a card (or row, picture, chip) with a link that works from the first moment, a picture of the
 * page, and its words. Its children are the link's words until the title is known. Far from the screen it is that link alone,
 * in a place of the same size.
 */
export const PagePreview = memo(function PagePreview(given: PagePreviewProps): ReactNode {
  const props = useDefaults(given)
  const cache = usePreviewClient(props.queryClient)
  const split = splitProps(props)
  const [isEarly] = useState(() => isWanted(props) || hasCachedResult(cache, split))
  const { ref, wasNear } = useNearViewport(false, isEarly || undefined)
  const isNeeded = wasNear || isWanted(props)
  useLoaded(loadCard, isNeeded && !isEarly)
  if (!isEarly && isNeeded && isCardLoaded()) return <CardSlot {...props} isNear={wasNear} />
  const place = previewPlace({ ...split, watch: ref })
  return isEarly ? <EarlyCard props={props} place={place} /> : place
}, sameProps)

/** Whether there is something to show wherever it is, or a look whose place is not like ours. */
const isWanted = ({ data, embed, loading, priority, components, unstyled }: PagePreviewProps) =>
  Boolean(data || embed !== undefined || loading === 'eager' || priority || components || unstyled)
