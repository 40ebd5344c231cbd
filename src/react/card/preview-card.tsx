import type { ElementType, HTMLAttributes, ReactNode, Ref, RefCallback } from 'react'
import { imageFit, layoutOf, toDisplayUrl, type CardImage, type DisplayUrl, type Layout } from '../../card/index.js'
import { isBusy, type PreviewState } from '../data/preview-state.js'
import type { PreviewOptions, SplitProps } from '../props.js'
import { classNamesOf, joinNames, type CardView, type IconProps } from './card-view.js'

// The markup of a preview in every layout. Nothing here has state, so all of it also works in server components.

interface PreviewRootInput extends Omit<SplitProps, 'attributes'> {
  preview: PreviewState & { displayUrl: DisplayUrl; image?: CardImage | undefined }
  attributes: HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> | undefined }
  elementRef?: (element: HTMLElement | null) => void
  isPassive?: boolean | undefined
  children: ReactNode
}

/**
 * The root element of a preview. It is a function instead of a component, because the placeholders of a hundred previews would
 * render twice as many components.
 */
export function previewRoot({
  preview,
  query,
  options,
  attributes,
  elementRef,
  isPassive,
  children,
}: PreviewRootInput): ReactNode {
  const { status, displayUrl, image } = preview
  const { theme, messages, data } = options
  const { className, ref, ...rest } = attributes
  const layout = layoutOf(options.layout)
  const isInline = layout === 'inline'
  const Root = rootElement(layout, isPassive)
  return (
    <Root
      dir={messages?.dir}
      {...rest}
      {...(isInline && !isPassive && linkAttributes(displayUrl, options))}
      ref={mergeRefs(elementRef, ref)}
      className={joinNames(classNamesOf(options)('root'), className)}
      data-layout={layout}
      data-status={status}
      data-theme={theme === 'auto' ? undefined : theme}
      data-fit={imageFit({ element: query.element, layout, isOwnData: Boolean(data), hasImage: Boolean(image) })}
      aria-busy={isBusy(preview) || undefined}
    >
      {children}
    </Root>
  )
}

function rootElement(layout: Layout, isPassive = false): ElementType {
  if (isPassive) return 'span'
  if (layout === 'inline') return 'a'
  return layout === 'image' ? 'figure' : 'article'
}

function mergeRefs(
  elementRef: RefCallback<HTMLElement> | undefined,
  callerRef: Ref<HTMLElement> | undefined,
): Ref<HTMLElement> | undefined {
  if (!elementRef || !callerRef) return elementRef ?? callerRef
  return (element) => {
    elementRef(element)
    const cleanUp = typeof callerRef === 'function' ? callerRef(element) : void (callerRef.current = element)
    // React 19 calls the clean-up function in place of the ref with `null`.
    return (
      cleanUp &&
      (() => {
        elementRef(null)
        cleanUp()
      })
    )
  }
}

const linkAttributes = ({ href }: DisplayUrl, { target, rel }: PreviewOptions) => ({ href, target, rel })

/** The placeholder of a preview that is far from the viewport: its link, in a box with the size of the card. */
export function linkPlaceholder(
  { query, options, attributes }: SplitProps,
  elementRef: (element: Element | null) => void,
): ReactNode {
  const classNames = classNamesOf(options)
  const displayUrl = toDisplayUrl(query.url)
  const { children: linkText = displayUrl.text, ...rest } = attributes
  const children =
    options.layout === 'inline' ? (
      <>
        <span className={classNames('icon')} aria-hidden="true">
          {displayUrl.letter}
        </span>
        <span>{linkText}</span>
      </>
    ) : (
      <a className={classNames('link')} {...linkAttributes(displayUrl, options)}>
        <span className={classNames('title')}>{linkText}</span>
      </a>
    )
  return previewRoot({
    preview: { status: 'loading', displayUrl },
    query,
    options,
    attributes: rest,
    elementRef,
    children,
  })
}

/** The content of a preview, inside its root element. */
export function PreviewCard({ view }: { view: CardView }): ReactNode {
  switch (view.options.layout) {
    case 'inline':
      return <InlineLayout view={view} />
    case 'image':
      return <ImageLayout view={view} />
    default:
      return <CardLayout view={view} />
  }
}

/** A chip in running text. It keeps the caller's text, because a change of its width would move the text around it. */
function InlineLayout({ view }: { view: CardView }): ReactNode {
  return (
    <>
      <view.Icon view={view} part="icon" />
      <span>{view.children ?? view.card.displayUrl.text}</span>
    </>
  )
}

/** The image with a caption: the link is beside the icon, in place of the host. */
function ImageLayout({ view }: { view: CardView }): ReactNode {
  const { classNames, isPassive } = view
  const Caption = isPassive ? 'span' : 'div'
  return (
    <>
      <view.Media key={view.id} view={view} />
      <Caption className={classNames('body')}>
        <CardFooter view={view}>
          <CardLink view={view} className={joinNames(classNames('link'), classNames('host'))} />
        </CardFooter>
      </Caption>
    </>
  )
}

/**
 * The image above the texts, or next to them in a wide container; in a row a small one next to them. The texts are the title,
 * which is the link, the description and the footer.
 */
function CardLayout({ view }: { view: CardView }): ReactNode {
  const { classNames, card, options, isPassive } = view
  const Box = isPassive ? 'span' : 'div'
  const skeletonLines = options.layout === 'row' ? 2 : 3
  return (
    <>
      <view.Media key={view.id} view={view} />
      <Box className={classNames('body')}>
        <Box className={classNames('text')}>
          <CardLink view={view} className={classNames('link')} />
          {card.description === undefined ? (
            Array.from({ length: skeletonLines }, (_, line) => <span key={line} className={classNames('skeleton')} />)
          ) : (
            <>
              <br />
              <span className={classNames('description')}>{card.description}</span>
            </>
          )}
        </Box>
        <CardFooter view={view}>
          <bdi className={classNames('host')}>{card.displayUrl.host}</bdi>
        </CardFooter>
      </Box>
    </>
  )
}

/** The only link of a card. Its cover makes the whole card clickable and keeps the link's accessible name short. */
function CardLink({ view, className }: { view: CardView; className: string | undefined }): ReactNode {
  const { classNames, card, linkText, isPassive, options } = view
  const Link = isPassive ? 'span' : 'a'
  return (
    <Link className={className} {...(!isPassive && linkAttributes(card.displayUrl, options))}>
      <span className={classNames('title')}>{linkText}</span>
      <span className={classNames('cover')} />
    </Link>
  )
}

/**
 * The last line of a body: the icon and host on one side; on the other the details of the image, or the retry button after a failure.
 *
 * @param children  Next to the icon: the host, or the link.
 */
function CardFooter({ view, children }: { view: CardView; children: ReactNode }): ReactNode {
  const { classNames, RetryButton } = view
  return (
    <>
      <span className={classNames('site')}>
        <view.Icon view={view} part="icon" />
        {children}
      </span>
      {RetryButton ? <RetryButton view={view} /> : <ImageDetails view={view} />}
    </>
  )
}

function ImageDetails({ view: { classNames, card, options } }: { view: CardView }): ReactNode {
  const { imageDetails } = card
  if (options.imageDetails === false || !imageDetails.length) return null
  return (
    // Keyed by its content, so that new details are a new element, which is not a layout shift. The server's `Intl` may format
    // numbers differently from the browser's.
    <span key={imageDetails.join()} className={classNames('imageDetails')} dir="ltr" suppressHydrationWarning>
      {imageDetails.map((detail) => (
        <span key={detail}>{detail}</span>
      ))}
    </span>
  )
}

/**
 * The space reserved for the image, with the placeholder or the fallback while there is none.
 *
 * @param image     Absent if there is no image, or if it cannot be loaded.
 * @param children  On top of the image.
 */
export function MediaFrame({
  view,
  image,
  children,
}: {
  view: CardView
  image: ReactNode
  children?: ReactNode
}): ReactNode {
  const { classNames, card, options, isPassive } = view
  const { fallback, placeholder } = options
  const Box = isPassive ? 'span' : 'div'
  const isLoading = !card.image && card.description === undefined
  return (
    <Box className={classNames('media')}>
      {image || (isLoading ? placeholder : (fallback ?? <view.Icon view={view} part="fallback" />))}
      {children}
    </Box>
  )
}

const ICON_PIXELS = { icon: 16, fallback: 64 }

/** The page's icon, or the first letter of its host. Its box is not the image, because styles of pages for images would resize that. */
export function StaticIcon({ view, part, onError }: IconProps & { onError?: () => void }): ReactNode {
  const { classNames } = view
  const { icon, displayUrl } = view.card
  const pixels = ICON_PIXELS[part]
  return (
    <span className={classNames(part)} aria-hidden="true">
      {icon ? <img width={pixels} height={pixels} alt="" src={icon} onError={onError} /> : displayUrl.letter}
    </span>
  )
}
