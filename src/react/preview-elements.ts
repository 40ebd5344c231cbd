import type {
  AnchorHTMLAttributes,
  ButtonHTMLAttributes,
  ComponentType,
  ElementType,
  HTMLAttributes,
  ImgHTMLAttributes,
  JSX,
} from 'react'
import { partNames } from './part-names.js'

type Attributes = HTMLAttributes<HTMLElement>
type ImageAttributes = ImgHTMLAttributes<HTMLImageElement>

/** The parts of a preview, and what each gets: the attributes and children of the element that it stands for. */
export interface PartProps {
  root: Attributes
  /** Around the picture, the note and the badge. */
  media: Attributes
  image: ImageAttributes
  /** Stands in the place of a picture: the page's icon, or a letter as its child. */
  mark: ImageAttributes
  /** On the picture: "Updating", "Saved 3d ago". */
  note: Attributes
  /** On the picture: starts the page's video or audio. */
  badge: ButtonHTMLAttributes<HTMLButtonElement>
  body: Attributes
  /** Around the link and the description. */
  text: Attributes
  /** The one link; its child is the title. */
  link: AnchorHTMLAttributes<HTMLAnchorElement>
  title: Attributes
  description: Attributes
  foot: Attributes
  /** Around the icon and the host. */
  site: Attributes
  icon: ImageAttributes
  host: Attributes
  /** The facts of the picture. */
  meta: Attributes
  retry: ButtonHTMLAttributes<HTMLButtonElement>
}

/** Each carries a class name of its own: `pp-media`, `pp-image`, … */
export type PartName = keyof PartProps

/** What stands in the place of a part: a component that takes the same attributes, or the name of another element. */
export type PartComponents = {
  readonly [Part in PartName]?: ComponentType<PartProps[Part]> | keyof JSX.IntrinsicElements
}

/** How a preview looks, beside its stylesheet. */
export interface Look {
  /** Default `card`. */
  layout?: 'card' | 'row' | 'image' | 'inline' | undefined
  components?: PartComponents | undefined
  /** Further class names by part. */
  classNames?: Readonly<Partial<Record<PartName, string>>> | undefined
  /** Leaves every class name of ours out, and with them all of our looks. Default `false`. */
  unstyled?: boolean | undefined
}

/** How the markup is written: which element each part is, and which class it has. */
export interface Elements {
  tags: Readonly<Record<Exclude<PartName, 'root' | 'mark' | 'icon'>, ElementType>> &
    Pick<PartComponents, 'mark' | 'icon'>
  name: (part: string) => string | undefined
}

const TAGS = {
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

export function elementsOf(look: Look): Elements {
  const { layout, components } = look
  return {
    tags: { ...TAGS, ...(layout === 'image' && { foot: 'figcaption' }), ...components },
    name: partNames(look),
  }
}
