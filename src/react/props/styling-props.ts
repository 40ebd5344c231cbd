import type {
  AnchorHTMLAttributes,
  ButtonHTMLAttributes,
  ComponentType,
  HTMLAttributes,
  ImgHTMLAttributes,
  JSX,
} from 'react'
import type { Layout } from '../../card/index.js'

type ElementAttributes = HTMLAttributes<HTMLElement>
type ImageAttributes = ImgHTMLAttributes<HTMLImageElement>
type ButtonAttributes = ButtonHTMLAttributes<HTMLButtonElement>

/** The parts of a preview, and the props of each: the attributes and children of its element. */
export interface PartProps {
  root: ElementAttributes
  /** Contains the image, the note and the badge. */
  media: ElementAttributes
  image: ImageAttributes
  /** Replaces a missing image: the page's icon, or the first letter of its host as a child. */
  mark: ImageAttributes
  /** On the image: "Updating", "Saved 3d ago". */
  note: ElementAttributes
  /** On the image: the button that plays the page's video or audio. */
  badge: ButtonAttributes
  body: ElementAttributes
  /** Contains the link and the description. */
  text: ElementAttributes
  /** The only link; its child is the title. */
  link: AnchorHTMLAttributes<HTMLAnchorElement>
  title: ElementAttributes
  description: ElementAttributes
  foot: ElementAttributes
  /** Contains the icon and the host. */
  site: ElementAttributes
  icon: ImageAttributes
  host: ElementAttributes
  /** Dimensions, type and size of the image. */
  meta: ElementAttributes
  retry: ButtonAttributes
}

/** Each part has the class name `pp-` and its name: `pp-media`, `pp-image`, … */
export type PartName = keyof PartProps

/** Replaces parts: by a component that takes the attributes of the part, or by the name of another element. */
export type PartComponents = {
  readonly [Part in PartName]?: ComponentType<PartProps[Part]> | keyof JSX.IntrinsicElements
}

/** The appearance of a preview, in addition to its stylesheet. */
export interface StylingProps {
  /**
   * A card, a row with a small image, an image with a caption, or a chip in running text.
   *
   * @default 'card'
   * @example layout: 'row'
   */
  layout?: Layout | undefined
  /**
   * Replaces elements by part: with another element by its name, or with a component that receives its attributes.
   *
   * @example components: { host: 'strong', link: RouterLink }
   */
  components?: PartComponents | undefined
  /**
   * Adds class names by part.
   *
   * @example classNames: { title: 'text-lg' }
   */
  classNames?: Readonly<Partial<Record<PartName, string>>> | undefined
  /**
   * Omits every class name of the library, and so all of its styles.
   *
   * @default false
   * @example unstyled: true
   */
  unstyled?: boolean | undefined
}
