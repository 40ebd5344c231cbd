'use client'

import { useEffect } from 'react'
import type { PageQuery } from '../query/index.js'
import { usePagePreview, type Picture } from './data/index.js'
import type { SourceOptions } from './page-preview-props.js'

interface FreshPictureProps {
  query: PageQuery
  options: SourceOptions
  /** Of this query. */
  id: string
  onPicture: (fresh: { id: string; picture: Picture }) => void
}

/** Asks what there is to know of a picture, and tells of each that is to be shown. Shows nothing itself. */
export function FreshPicture({ id, query, options, onPicture }: FreshPictureProps): null {
  const { picture } = usePagePreview({ ...query, ...options })
  const facts = JSON.stringify(picture)
  useEffect(() => {
    if (facts) onPicture({ id, picture: JSON.parse(facts) as Picture })
  }, [id, facts, onPicture])
  return null
}
