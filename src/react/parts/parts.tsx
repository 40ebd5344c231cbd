'use client'

import {
  Children,
  cloneElement,
  createContext,
  createElement,
  forwardRef,
  Fragment,
  isValidElement,
  useContext,
  useEffect,
  useMemo,
  useRef,
  type ComponentPropsWithoutRef,
  type CSSProperties,
  type ElementType,
  type ForwardRefExoticComponent,
  type PropsWithoutRef,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefAttributes,
  type RefObject,
  type SyntheticEvent,
} from 'react'
import { imageSizes, type CardImage, type DisplayUrl } from '../../card/index.js'
import { imageAttributes } from '../image.js'
import { assignDefined, joinNames, type PreviewOptions } from '../props.js'
import { isReact18 } from '../react-version.js'
import { reportEarlyError } from '../report-early-error.js'
import { useLazyModule } from '../use-lazy-module.js'
import type { PartContent, PartState, PartTag, PreviewView } from './preview-view.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

/** The props of a part: the attributes of its element, and these. */
export type PartProps<Tag extends PartTag = 'span', State = PartState> = Omit<
  ComponentPropsWithoutRef<Tag>,
  'className' | 'style'
> & {
  /**
   * Another element in place of the default one: an element that gets the attributes of the part, or a function of them and of the
   * state.
   *
   * @example render: <CardTitle />
   */
  render?: ReactElement | ((props: ComponentPropsWithoutRef<Tag>, state: State) => ReactNode) | undefined
  /**
   * The class, or a function of the state.
   *
   * @example className: ({ status }) => (status === 'failed' ? 'opacity-60' : undefined)
   */
  className?: string | ((state: State) => string | undefined) | undefined
  /**
   * The style, or a function of the state.
   *
   * @example style: { maxWidth: 400 }
   */
  style?: CSSProperties | ((state: State) => CSSProperties | undefined) | undefined
}

/** A part, which works below the root of a preview. */
export type Part<Tag extends PartTag, State = PartState> = ForwardRefExoticComponent<
  PropsWithoutRef<PartProps<Tag, State>> & RefAttributes<HTMLElement>
>

/** The state of `Play`. */
export type PlayState = PartState & { isPlaying: boolean }

/**
 * The box of the image. Give it a height or a ratio, so that nothing moves when the image arrives: it clips what is larger than itself,
 * unless its `style` has an `overflow`.
 */
export const Media: Part<'div'> = /* @__PURE__ */ createPart('Media', ({ showsState }) => ({
  tag: 'div',
  ref: showsState ? clip : undefined,
}))

/** A box with a ratio grows with its content otherwise. Not an attribute, which a strict content security policy of a page forbids. */
function clip(element: HTMLElement | null): void {
  if (element) element.style.overflow ||= 'hidden'
}

/** The screenshot, or the page's own image; nothing while there is none. It fades in if it arrives late: `[data-pending]`. */
export const Image: Part<'img'> = /* @__PURE__ */ forwardRef<HTMLElement, PartProps<'img'>>(function Image(props, ref) {
  const view = usePreviewView('<Preview.Image>')
  const { image } = view.card
  return image ? <FadingImage key={view.id} image={image} view={view} props={props} callerRef={ref} /> : null
})

function FadingImage({
  image,
  view,
  props,
  callerRef,
}: {
  image: CardImage
  view: PreviewView
  props: PartProps<'img'>
  callerRef: Ref<HTMLElement>
}) {
  const { card, options, state } = view
  const ref = useFadeIn(options.priority)
  const attributes = {
    ...imageAttributes({ image, sizes: imageSizes[state.layout], options }),
    onLoad: revealWhenDecoded,
    onError: view.onBrokenImage,
    alt: card.alt,
    src: image.src,
  }
  return usePartElement({ tag: 'img', ref, attributes }, view, props, callerRef)
}

/** An image that arrives within this time is shown at once. */
const FADE_AFTER_MS = 100

/**
 * The ref of an image that fades in once it is decoded, unless it arrives soon, has priority, or is on the first screen of
 * the page, where a fade would only delay it. Until then it has `data-pending`. Without script it is visible at once.
 */
export function useFadeIn(priority: boolean | undefined): RefObject<HTMLImageElement | null> {
  const ref = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const { current: element } = ref
    reportEarlyError(element)
    if (!element || element.complete || priority) return undefined
    const timer = setTimeout(() => {
      if (!element.naturalWidth && !isOnFirstScreen(element)) element.dataset.pending = ''
    }, FADE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [priority])
  return ref
}

const isOnFirstScreen = (element: Element) => element.getBoundingClientRect().top + scrollY < innerHeight

async function revealWhenDecoded({ currentTarget: element }: SyntheticEvent<HTMLImageElement>): Promise<void> {
  try {
    await element.decode?.()
  } catch {
    // Its `src` has changed while it was decoded; the browser shows the old image until the new one is loaded.
  }
  delete element.dataset.pending
}

/** In place of a missing image: the page's icon, or the first letter of its host. */
export const Fallback: Part<'span'> = /* @__PURE__ */ createPart('Fallback', (view) =>
  view.card.image || view.state.status === 'loading' ? undefined : iconContent(view, 64),
)

const loadMediaPlayer = () => import('./media-player.js')

/**
 * The button that plays the video or audio of the page, and then the browser's own player in its place; nothing for a page without.
 * `className` and `style` apply to both, with `isPlaying` in their state.
 */
export const Play: Part<'button', PlayState> = /* @__PURE__ */ forwardRef<HTMLElement, PartProps<'button', PlayState>>(
  function Play(props, ref) {
    const view = usePreviewView('<Preview.Play>')
    const { options, state } = view
    const page = (view.page?.video ?? view.page?.audio) ? view.page : undefined
    const { MediaPlayer } = useLazyModule(loadMediaPlayer, page !== undefined) ?? {}
    const { className, style } = props
    return MediaPlayer && page ? (
      <MediaPlayer key={view.id} page={page} messages={options.messages}>
        {(content, playerRef) => (
          <PartElement
            content={content}
            view={{ ...view, state: { ...state, isPlaying: Boolean(playerRef) } }}
            props={playerRef ? { className, style } : props}
            callerRef={playerRef ?? ref}
          />
        )}
      </MediaPlayer>
    ) : null
  },
)

/** The only link of a preview. Its child is the title, unless it has others. */
export const Link: Part<'a'> = /* @__PURE__ */ createPart('Link', ({ state, options, linkText }) => ({
  tag: 'a',
  attributes: { ...linkAttributes(state.displayUrl, options), children: linkText },
}))

export const linkAttributes = ({ href }: DisplayUrl, { target, rel }: PreviewOptions) => ({ href, target, rel })

/** The title of the page; until it is known, and after a failure, its address. */
export const Title: Part<'span'> = /* @__PURE__ */ createPart('Title', ({ linkText }) => text(linkText))

/**
 * The description of the page, as a paragraph: its address if it has none, and the reason of a failure. Nothing while the preview
 * loads.
 */
export const Description: Part<'p'> = /* @__PURE__ */ createPart('Description', ({ card }) =>
  text(card.description, 'p'),
)

/** The name of the author; nothing if the page names none. */
export const Author: Part<'span'> = /* @__PURE__ */ createPart('Author', ({ page }) => text(page?.author))

/** The name of the site or organisation that publishes the page; nothing if the page names none. */
export const Publisher: Part<'span'> = /* @__PURE__ */ createPart('Publisher', ({ page }) => text(page?.publisher))

/** When the page was published, such as "Jan 31, 2026", in the language of the preview; nothing if the page has no date. */
const PublicationDate: Part<'time'> = /* @__PURE__ */ createPart('Date', ({ page, locale }) => {
  const date = page?.date ? new Date(page.date) : undefined
  if (!date || Number.isNaN(date.getTime())) return undefined
  // Dates without a time are midnight UTC. The server's `Intl` may format them differently from the browser's.
  const children = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(date)
  return { tag: 'time', attributes: { dateTime: page?.date, children, suppressHydrationWarning: true } }
})
export { PublicationDate as Date }

/** The site: contains the icon and the host, with the classes `pp-icon` and `pp-host`, unless it has other children. */
export const Site: Part<'span'> = /* @__PURE__ */ createPart('Site', () => ({
  attributes: {
    children: (
      <>
        <Icon className="pp-icon" /> <Host className="pp-host" />
      </>
    ),
  },
}))

/** The page's icon, or the first letter of its host. */
export const Icon: Part<'span'> = /* @__PURE__ */ createPart('Icon', (view) => iconContent(view, 16))

/** The host of the page, without `www.`. */
export const Host: Part<'bdi'> = /* @__PURE__ */ createPart('Host', ({ state }) => text(state.displayUrl.host, 'bdi'))

/** Dimensions, type and size of the image. */
export const ImageDetails: Part<'span'> = /* @__PURE__ */ createPart('ImageDetails', ({ card: { imageDetails } }) =>
  imageDetails.length
    ? {
        key: imageDetails.join(),
        attributes: {
          dir: 'ltr',
          children: imageDetails.map((detail) => <span key={detail}>{detail}</span>),
          // The server's `Intl` may format numbers differently from the browser's.
          suppressHydrationWarning: true,
        },
      }
    : undefined,
)

/** "Updating" while a newer result is fetched, "Saved 3d ago" if none could be fetched. Nothing in other states. */
export const Status: Part<'span'> = /* @__PURE__ */ createPart('Status', ({ statusText }) =>
  statusText ? { key: statusText, attributes: { children: statusText } } : undefined,
)

/** A placeholder while the preview loads, such as a grey line; nothing afterwards. */
export const Skeleton: Part<'span'> = /* @__PURE__ */ createPart('Skeleton', ({ state }) =>
  state.status === 'loading' ? { attributes: { 'aria-hidden': true } } : undefined,
)

/** The button that fetches again after a failure; nothing if that cannot help. */
export const Retry: Part<'button'> = /* @__PURE__ */ forwardRef<HTMLElement, PartProps<'button'>>(
  function Retry(props, ref) {
    const view = usePreviewView('<Preview.Retry>')
    const { failureParts, state } = view
    return failureParts && state.canRetry ? (
      <failureParts.RetryButton label={failureParts.retry} refresh={state.refresh}>
        {(content) => <PartElement content={content} view={view} props={props} callerRef={ref} />}
      </failureParts.RetryButton>
    ) : null
  },
)

interface PartElementProps<State extends PartState> {
  content: PartContent
  view: PreviewView & { state: State }
  props: PartProps<'button', State>
  callerRef: Ref<HTMLElement>
}

/** The element of a part whose content another component provides. */
const PartElement = <State extends PartState>({ content, view, props, callerRef }: PartElementProps<State>) =>
  usePartElement(content, view, props, callerRef)

const text = (children: unknown, tag?: 'p' | 'bdi'): PartContent | undefined =>
  children === undefined || children === null ? undefined : { tag, attributes: { children } }

/** Its box is not the image, because styles of pages for images would resize that. */
function iconContent({ card: { icon }, state, onBrokenIcon }: PreviewView, pixels: number): PartContent {
  const children = icon ? (
    <img ref={reportEarlyError} width={pixels} height={pixels} alt="" src={icon} onError={onBrokenIcon} />
  ) : (
    state.displayUrl.letter
  )
  return { attributes: { 'aria-hidden': true, children } }
}

export const PreviewContext = createContext<PreviewView | undefined>(undefined)

/**
 * @param user  The part or hook, as it is written in code.
 * @throws      When it is not inside a root.
 */
function usePreviewView(user: string): PreviewView {
  const view = useContext(PreviewContext)
  if (!view) throw new Error(`${user} is not inside a <Preview.Root>, which provides its page.`)
  return view
}

/**
 * The state of the preview around a component, for a part of your own: its page, and what the parts show of it.
 *
 * @throws  When the component is not inside a root.
 * @example  const { page } = usePreviewState()
 */
export const usePreviewState = (): PartState => usePreviewView('usePreviewState()').state

/** Creates a part from what it shows of a preview; `undefined` renders nothing. */
function createPart<Tag extends PartTag>(
  name: string,
  contentOf: (view: PreviewView) => PartContent | undefined,
): Part<Tag> {
  const Component = forwardRef<HTMLElement, PartProps<PartTag>>(function PreviewPart(props, ref) {
    const view = usePreviewView(`<Preview.${name}>`)
    return usePartElement(contentOf(view), view, props, ref)
  })
  if (process.env.NODE_ENV !== 'production') Component.displayName = `Preview.${name}`
  // `forwardRef` knows one type of element, and the caller names the tag.
  return Component as unknown as Part<Tag>
}

/**
 * The element of a part, with the caller's attributes over its own ones; handlers of both are called. It is a hook by its name only,
 * because React's rules let nothing else take a ref.
 */
export function usePartElement<Tag extends PartTag, State extends PartState>(
  content: PartContent | undefined,
  { showsState, state }: PreviewView & { state: State },
  { render, className, style, ...own }: PartProps<Tag, State>,
  callerRef?: Ref<HTMLElement> | null,
): ReactElement | null {
  const ref = useMergedRefs(content?.ref, callerRef)
  if (!content) return null
  const { tag = 'span', key, attributes: { src, ...attributes } = {} } = content
  const props: Record<string, unknown> = {
    ...(showsState && { 'data-status': state.status, 'data-layout': state.layout }),
    ...(className !== undefined && { className: valueOf(className, state) }),
    ...mergeAttributes(attributes, own),
    ...(style !== undefined && { style: valueOf(style, state) }),
    ...(ref && { ref }),
    // The last one, because some browsers start the download as soon as it is set.
    ...(src !== undefined && { src }),
  }
  // A server component sends a lazy element, which `Children` resolves.
  const element = typeof render === 'object' && !isValidElement(render) ? Children.toArray(render)[0] : render
  if (isValidElement<Record<string, unknown>>(element))
    return cloneElement(element, { key, ...withOwnProps(props, element) })
  if (typeof render === 'function')
    return <Fragment key={key}>{render(props as ComponentPropsWithoutRef<Tag>, state)}</Fragment>
  return createElement(tag as ElementType, { key, ...props })
}

const valueOf = <Value, State>(value: Value | ((state: State) => Value), state: State): Value =>
  typeof value === 'function' ? (value as (state: State) => Value)(state) : value

type Handler = (event: unknown) => void

/** The caller's attributes over those of a part; handlers of both are called. */
function mergeAttributes(attributes: Record<string, unknown>, own: object): Record<string, unknown> {
  const merged: Record<string, unknown> = assignDefined(attributes, own)
  for (const [name, handle] of Object.entries(attributes)) {
    const ownHandle: unknown = Reflect.get(own, name)
    if (typeof handle !== 'function' || typeof ownHandle !== 'function') continue
    merged[name] = (event: unknown) => {
      ;(ownHandle as Handler)(event)
      ;(handle as Handler)(event)
    }
  }
  return merged
}

/** The props of the caller's element stay; its class, style, handlers and ref are added to those of the part. */
function withOwnProps(
  { ref: partRef, ...props }: Record<string, unknown>,
  { props: own, ...element }: ReactElement<Record<string, unknown>>,
): Record<string, unknown> {
  // React 18 warns if the ref is read from the props.
  const ownRef = isReact18 ? Reflect.get(element, 'ref') : own.ref
  const ref = mergeRefs(partRef as Ref<HTMLElement>, ownRef as Ref<HTMLElement>)
  return {
    ...mergeAttributes(props, own),
    className: joinNames(own.className as string, props.className as string),
    style: props.style || own.style ? { ...(props.style as object), ...(own.style as object) } : undefined,
    children: own.children ?? props.children,
    ...(ref && { ref }),
  }
}

/** Both refs as one, which stays the same as long as they do. */
export function useMergedRefs(
  first: Ref<HTMLElement> | undefined,
  second: Ref<HTMLElement> | undefined,
): Ref<HTMLElement> | undefined {
  return useMemo(() => mergeRefs(first, second), [first, second])
}

function mergeRefs(
  first: Ref<HTMLElement> | undefined,
  second: Ref<HTMLElement> | undefined,
): Ref<HTMLElement> | undefined {
  if (!first || !second) return first ?? second
  return (element) => {
    const cleanUps = [first, second].map((ref) => setRef(ref, element) ?? (() => void setRef(ref, null)))
    // React 18 calls the ref with `null` in place of a clean-up function.
    return isReact18 ? undefined : () => cleanUps.forEach((cleanUp) => cleanUp())
  }
}

/** @returns  The clean-up function of the ref, if it has one. */
const setRef = (ref: NonNullable<Ref<HTMLElement>>, element: HTMLElement | null) =>
  typeof ref === 'function' ? ref(element) : void (ref.current = element)
