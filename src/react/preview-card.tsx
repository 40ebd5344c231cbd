'use client'

// Its own file because hovered links load it too: bundlers split at files, and some put all of a file that an app imports at once
// into its first chunk.

import {
  useEffect,
  useRef,
  useSyncExternalStore,
  type ElementType,
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react'
import { imageFit, layoutOf, type CardImage, type DisplayUrl } from '../card/index.js'
import { isBusy, type PreviewState } from './preview-state.js'
import type { Proximity } from './use-proximity.js'
import type { PreviewProps } from './page-preview-provider.js'
import { neverChanges } from './preview-query.js'
import { PreviewContext } from './parts/part.js'
import { useView } from './parts/preview-view.js'
import {
  Description,
  Fallback,
  Host,
  Icon,
  Image,
  ImageDetails,
  Link,
  Media,
  Play,
  Retry,
  Site,
  Skeleton,
  Status,
  Title,
} from './parts/parts.js'
import { joinNames, type PartName, type PreviewOptions, type SplitProps } from './props.js'

interface PreviewCardProps extends PreviewProps {
  proximity: Proximity
  elementRef: Ref<HTMLElement> | undefined
  /** Has the root element, until the card is there that of its placeholder. Absent for a card that never has one. */
  rootRef?: RefObject<HTMLElement | null>
}

/** A preview that fetches its page and follows every change of it. */
export function PreviewCard({ proximity, elementRef, rootRef, ...props }: PreviewCardProps): ReactNode {
  const { options, attributes } = props
  const { children, style, ...rest } = attributes
  const view = useView(props, proximity, { showsState: false, children })
  const { state } = view
  useFocusHandover(rootRef)
  const isInline = state.layout === 'inline'
  // A style attribute in the server's markup would violate a strict content security policy.
  const hasStyle = useIsHydrated() && !isInline
  const background = hasStyle ? state.image?.background : undefined
  const c = classNamesOf(options)
  return previewRoot(props, {
    state,
    attributes: { ...rest, style: background ? { ['--pp-media-background' as string]: background, ...style } : style },
    isBusy: isBusy(state, proximity),
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
          <CardContent options={options} c={c} />
        )}
        {view.announcement}
      </PreviewContext.Provider>
    ),
  })
}

interface ContentProps {
  options: PreviewOptions
  /** The class names of a part: the library's first, the caller's after it. */
  c: (part: PartName | 'text' | 'cover' | 'spinner' | 'player') => string | undefined
}

/**
 * The image above the texts, or next to them in a wide container; in a row a small one next to them. The texts are the title,
 * which is the link, the description and the footer. The layout `image` has the footer alone as a caption: the link is beside the
 * icon, in place of the host.
 */
function CardContent({ options, c }: ContentProps): ReactNode {
  const { layout, imageDetails } = options
  const isImage = layout === 'image'
  return (
    <>
      <PreviewMedia options={options} c={c} />
      <div className={c('body')}>
        {!isImage && (
          <div className={c('text')}>
            <CardLink c={c} className={c('link')} />
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
          {isImage ? <CardLink c={c} className={joinNames(c('link'), c('host'))} /> : <Host className={c('host')} />}
        </Site>
        <Retry className={c('retry')} />
        {imageDetails !== false && <ImageDetails className={c('imageDetails')} />}
      </div>
    </>
  )
}

/** The image, or what stands in its place, with the status and the play button on top. */
function PreviewMedia({ options: { placeholder, fallback }, c }: ContentProps): ReactNode {
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
function CardLink({ c, className }: { c: ContentProps['c']; className: string | undefined }): ReactNode {
  return (
    <Link className={className}>
      <Title className={c('title')} />
      <span className={c('cover')} />
    </Link>
  )
}

interface RootInput {
  state: PreviewState & { displayUrl: DisplayUrl; image?: CardImage | undefined }
  isBusy?: boolean
  attributes: HTMLAttributes<HTMLElement>
  ref: Ref<HTMLElement> | undefined
  children: ReactNode
}

/**
 * The root element of a preview. It is a function instead of a component, because the placeholders of a hundred previews would
 * render twice as many components.
 */
export function previewRoot(
  { query, options }: SplitProps,
  { state, isBusy, attributes, ref, children }: RootInput,
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
      {...(isInline && linkAttributes(state.displayUrl, options))}
      ref={ref}
      className={joinNames(classNamesOf(options)('root'), className)}
      data-layout={layout}
      data-status={state.status}
      data-theme={theme === 'auto' ? undefined : theme}
      data-fit={imageFit({ element: query.element, layout, isOwnData: Boolean(data), hasImage: Boolean(state.image) })}
      aria-busy={rest['aria-busy'] ?? (isBusy || undefined)}
    >
      {children}
    </Element>
  )
}

export const linkAttributes = ({ href }: DisplayUrl, { target, rel }: PreviewOptions) => ({ href, target, rel })

export function classNamesOf({ classNames = {} }: PreviewOptions): ContentProps['c'] {
  const callerNames: Readonly<Record<string, string>> = classNames
  return (part) => joinNames(part === 'root' ? 'page-preview' : `pp-${kebabCase(part)}`, callerNames[part])
}

const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Moves the focus to the link of a card when the link of its placeholder had it. */
function useFocusHandover(root: RefObject<HTMLElement | null> | undefined): void {
  // Read in the first render: the placeholder is removed before any effect.
  const isDue = useRef(root?.current?.matches(':focus-within'))
  useEffect(() => {
    const card = isDue.current ? root?.current : undefined
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
