'use client'

// Its own file because hovered links load it too: bundlers split at files, and some put all of a file that an app imports at once
// into its first chunk.

import {
  forwardRef,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ElementType,
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react'
import { imageFit, layoutOf, requestOf, toDisplayUrl, type CardImage, type DisplayUrl } from '../card/index.js'
import type { PreviewState } from './preview-state.js'
import { hasPreviews } from './use-preview-data.js'
import { useProximity, type Proximity } from './use-proximity.js'
import { usePreviewProps, type PreviewProps } from './page-preview-provider.js'
import { neverChanges, useKnownQueryClient } from './preview-query.js'
import { isBusy, useView } from './parts/preview-view.js'
import {
  Description,
  Fallback,
  Host,
  Icon,
  Image,
  ImageDetails,
  Link,
  linkAttributes,
  Media,
  Play,
  PreviewContext,
  Retry,
  Site,
  Skeleton,
  Status,
  Title,
  useMergedRefs,
} from './parts/parts.js'
import { joinNames, type PagePreviewProps, type PartName, type PreviewOptions, type SplitProps } from './props.js'

/** The link of a preview far from the viewport, and its card near it, or as soon as the card has something to show. */
export const LinkOrCard = /* @__PURE__ */ forwardRef<HTMLElement, PagePreviewProps>(
  function PagePreview(ownProps, callerRef): ReactNode {
    const props = usePreviewProps('PagePreview', ownProps)
    const queryClient = useKnownQueryClient(props.options.queryClient)
    const [isCardFirst] = useState(
      () =>
        needsCard(props) ||
        (hasPreviews(queryClient) && queryClient?.getQueryData(requestOf(props.stableQuery).queryKey) !== undefined),
    )
    const [proximityRef, proximity] = useProximity(props)
    const rootRef = useRef<HTMLElement>(null)
    const ref = useMergedRefs(rootRef, useMergedRefs(proximityRef, callerRef))
    return isCardFirst || proximity !== 'far' || needsCard(props) ? (
      <PreviewCard props={props} proximity={proximity} elementRef={ref} rootRef={rootRef} />
    ) : (
      linkPlaceholder(props, ref)
    )
  },
)

/** Whether the card has something to show at any distance from the viewport. */
const needsCard = ({ query, options: { data, loading, priority } }: SplitProps) =>
  Boolean(data || query.embed !== undefined || loading === 'eager' || priority)

/** The placeholder of a preview that is far from the viewport: its link, in a box with the size of the card. */
function linkPlaceholder(props: SplitProps, ref: Ref<HTMLElement> | undefined): ReactNode {
  const { query, options, attributes } = props
  const c = classNamesOf(options)
  const displayUrl = toDisplayUrl(query.url)
  const { children: linkText = displayUrl.text, ...rest } = attributes
  const children =
    options.layout === 'inline' ? (
      <>
        <span className={c('icon')} aria-hidden="true">
          {displayUrl.letter}
        </span>
        <span>{linkText}</span>
      </>
    ) : (
      <a className={c('link')} {...linkAttributes(displayUrl, options)}>
        <span className={c('title')}>{linkText}</span>
      </a>
    )
  return previewRoot(props, { status: 'loading', displayUrl, attributes: rest, ref, children })
}

interface PreviewCardProps {
  props: PreviewProps
  proximity: Proximity
  elementRef: Ref<HTMLElement> | undefined
  /** Has the root element, until the card is there that of its placeholder. */
  rootRef: RefObject<HTMLElement | null>
}

/** A preview that fetches its page and follows every change of it. */
function PreviewCard({ props, proximity, elementRef, rootRef }: PreviewCardProps): ReactNode {
  const { options, attributes } = props
  const { children, style, ...rest } = attributes
  const view = useView(props, proximity, { showsState: false, children })
  const { state } = view
  useFocusHandover(rootRef)
  const isInline = state.layout === 'inline'
  // A style attribute in the server's markup would violate a strict content security policy.
  const background = useIsHydrated() && !isInline && state.image?.background
  const c = classNamesOf(options)
  return previewRoot(props, {
    ...state,
    attributes: {
      'aria-busy': isBusy(state, proximity) || undefined,
      ...rest,
      style: background ? { ['--pp-media-background' as string]: background, ...style } : style,
    },
    ref: elementRef,
    children: (
      <PreviewContext.Provider value={view}>
        {isInline ? (
          <>
            <Icon className={c('icon')} />
            {/* It keeps the caller's text, because a change of its width would move the text around it. */}
            <span>{children ?? state.displayUrl.text}</span>
          </>
        ) : (
          <>
            {cardContent(options, c)}
            {view.failureParts?.announcement}
          </>
        )}
      </PreviewContext.Provider>
    ),
  })
}

/** The class names of a part: the library's first, the caller's after it. */
type ClassNamesOf = (
  part: Exclude<PartName, 'root' | 'imageDetails'> | 'text' | 'cover' | 'spinner' | 'player',
) => string | undefined

/**
 * The image above the texts, or next to them in a wide container; in a row a small one next to them. The texts are the title,
 * which is the link, the description and the footer. The layout `image` has the footer alone as a caption: the link is beside the
 * icon, in place of the host.
 */
function cardContent(options: PreviewOptions, c: ClassNamesOf): ReactNode {
  const { layout, imageDetails } = options
  const isImage = layout === 'image'
  return (
    <>
      {previewMedia(options, c)}
      <div className={c('body')}>
        {!isImage && (
          <div className={c('text')}>
            {cardLink(c, c('link'))}
            <Skeleton
              render={() =>
                Array.from({ length: layout === 'row' ? 2 : 3 }, (_, line) => (
                  <span key={line} className={c('skeleton')} />
                ))
              }
            />
            <Description
              className={c('description')}
              render={(props) => (
                <>
                  <br />
                  <span {...props} />
                </>
              )}
            />
          </div>
        )}
        <Site className={c('site')}>
          <Icon className={c('icon')} />
          {isImage ? cardLink(c, joinNames(c('link'), c('host'))) : <Host className={c('host')} />}
        </Site>
        <Retry className={c('retry')} />
        {imageDetails !== false && (
          <ImageDetails className={joinNames('pp-image-details', options.classNames?.imageDetails)} />
        )}
      </div>
    </>
  )
}

/** The image, or what stands in its place, with the status and the play button on top. */
function previewMedia({ placeholder, fallback }: PreviewOptions, c: ClassNamesOf): ReactNode {
  return (
    <Media className={c('media')}>
      <Image className={c('image')} />
      {placeholder !== undefined && <Skeleton render={(_, { image }) => (image ? null : placeholder)} />}
      <Play className={({ isPlaying }) => c(isPlaying ? 'player' : 'play')} />
      <Fallback className={c('fallback')} render={fallback === undefined ? undefined : () => fallback} />
      <Status
        className={c('status')}
        render={({ children, ...props }, { status }) => (
          <span {...props}>
            {status === 'refreshing' && <span className={c('spinner')} />}
            <span>{children}</span>
          </span>
        )}
      />
    </Media>
  )
}

/** The only link of a card. Its cover makes the whole card clickable and keeps the link's accessible name short. */
const cardLink = (c: ClassNamesOf, className: string | undefined): ReactNode => (
  <Link className={className}>
    <Title className={c('title')} />
    <span className={c('cover')} />
  </Link>
)

interface RootInput {
  status: PreviewState['status']
  displayUrl: DisplayUrl
  image?: CardImage | undefined
  attributes: HTMLAttributes<HTMLElement>
  ref: Ref<HTMLElement> | undefined
  children: ReactNode
}

/**
 * The root element of a preview. It and the content of a card are functions instead of components, because a hundred previews would
 * render several times as many components.
 */
function previewRoot(
  { query, options }: SplitProps,
  { status, displayUrl, image, attributes, ref, children }: RootInput,
): ReactNode {
  const { theme, messages, data } = options
  const { className, ...rest } = attributes
  const layout = layoutOf(options.layout)
  const isInline = layout === 'inline'
  const Element = (isInline ? 'a' : layout === 'image' ? 'figure' : 'article') as ElementType
  return (
    <Element
      dir={messages?.dir}
      {...rest}
      {...(isInline && linkAttributes(displayUrl, options))}
      ref={ref}
      className={joinNames('page-preview', options.classNames?.root, className)}
      data-layout={layout}
      data-status={status}
      data-theme={theme === 'auto' ? undefined : theme}
      data-fit={imageFit({ element: query.element, layout, ownData: data, image })}
    >
      {children}
    </Element>
  )
}

const classNamesOf =
  ({ classNames }: { classNames?: Readonly<Partial<Record<string, string>>> | undefined }): ClassNamesOf =>
  (part) =>
    joinNames(`pp-${part}`, classNames?.[part])

/** Moves the focus to the link of a card when the link of its placeholder had it. */
function useFocusHandover(root: RefObject<HTMLElement | null>): void {
  // Read in the first render: the placeholder is removed before any effect.
  const isDue = useRef(root.current?.matches(':focus-within'))
  useEffect(() => {
    const card = isDue.current ? root.current : undefined
    // Once: React runs effects again when it shows a hidden tree again.
    isDue.current = false
    const link = card?.matches('a') ? card : card?.querySelector('a')
    link?.focus({ preventScroll: true })
  }, [root])
}

/** `false` on a server and during hydration, so that both render the same markup; `true` afterwards. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}
