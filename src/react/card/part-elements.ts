import type { ElementType } from 'react'
import type { PartComponents, PartName, StylingProps } from '../props/styling-props.js'
import { classNamesOf } from './class-names.js'

/** The element and the class names of each part. */
export interface PartElements {
  tags: Readonly<Record<Exclude<PartName, 'root' | 'mark' | 'icon'>, ElementType>> &
    Pick<PartComponents, 'mark' | 'icon'>
  classNames: (part: string) => string | undefined
}

const DEFAULT_TAGS = {
  media: 'div',
  image: 'img',
  note: 'span',
  badge: 'button',
  body: 'div',
  text: 'div',
  link: 'a',
  title: 'span',
  description: 'span',
  foot: 'div',
  site: 'span',
  host: 'bdi',
  meta: 'span',
  retry: 'button',
} as const

export function partElements(styling: StylingProps): PartElements {
  const { layout, components } = styling
  return {
    tags: { ...DEFAULT_TAGS, ...(layout === 'image' && { foot: 'figcaption' }), ...components },
    classNames: classNamesOf(styling),
  }
}
