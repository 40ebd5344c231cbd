'use client'

import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { PageQuery } from '../query/index.js'
import { usePreview, type CardImage, type SourceOptions } from './data/index.js'

interface FreshPictureProps {
  query: PageQuery
  options: SourceOptions
  /** What shows it; there is none where the picture cannot be shown. */
  element: RefObject<Element | null>
  /** Of this query. */
  id: string
  onBroken: () => void
  onPicture: (fresh: { id: string; picture: CardImage }) => void
}

/** Asks what there is to know of a picture, and tells of each that is to be shown. Shows nothing itself. */
export function FreshPicture({ id, query, options, element, onBroken, onPicture }: FreshPictureProps): null {
  const { picture, ref } = usePreview(query, options)
  // Before the hook above looks whether it has an element.
  useLayoutEffect(() => {
    ref(element.current)
    return () => ref(null)
  }, [element, ref])
  const broken = useRef(onBroken)
  useEffect(() => {
    const shown = element.current
    // What happened before hydration sent its events to nobody.
    if (shown instanceof HTMLImageElement && shown.complete && !shown.naturalWidth) broken.current()
  }, [element])
  const facts = JSON.stringify(picture)
  useEffect(() => {
    if (facts) onPicture({ id, picture: JSON.parse(facts) as CardImage })
  }, [id, facts, onPicture])
  return null
}
