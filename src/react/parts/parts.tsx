'use client'

import { forwardRef, useEffect, useRef, type Ref, type RefObject, type SyntheticEvent } from 'react'
import { imageSizes, type CardImage } from '../../card/index.js'
import { imageAttributes } from '../image.js'
import { reportEarlyError } from '../report-early-error.js'
import { useLazyModule } from '../use-lazy-module.js'
import {
  createPart,
  useMergedRefs,
  usePartElement,
  usePreviewView,
  type Part,
  type PartContent,
  type PartProps,
  type PlayState,
} from './part.js'
import type { PartState, PreviewView } from './preview-view.js'

/**
 * The box of the image. Give it a height or a ratio, so that nothing moves when the image arrives: it clips what is larger than itself,
 * unless its `style` has an `overflow`.
 */
export const Media: Part<'div'> = /* @__PURE__ */ forwardRef<HTMLElement, PartProps<'div'>>(
  function Media(props, callerRef) {
    const view = usePreviewView('<Preview.Media>')
    const ref = useMergedRefs(view.showsState ? clip : undefined, callerRef)
    return usePartElement({ tag: 'div' }, view, props, ref)
  },
)

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
  const fadeRef = useFadeIn(options.priority)
  const ref = useMergedRefs(fadeRef, callerRef)
  const attributes = {
    ...imageAttributes({ image, sizes: imageSizes[state.layout], options }),
    onLoad: revealWhenDecoded,
    onError: view.onBrokenImage,
    alt: card.alt,
    src: image.src,
  }
  return usePartElement({ tag: 'img', attributes }, view, props, ref)
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
      if (!element.naturalWidth && !isOnFirstScreen(element)) element.toggleAttribute('data-pending', true)
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
    const { page, options, state } = view
    const isPlayable = Boolean(page?.video ?? page?.audio)
    const { MediaPlayer } = useLazyModule(loadMediaPlayer, isPlayable) ?? {}
    const { className, style } = props
    return MediaPlayer && page && isPlayable ? (
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
export const Link: Part<'a'> = /* @__PURE__ */ createPart('Link', ({ state, options: { target, rel }, linkText }) => ({
  tag: 'a',
  attributes: { href: state.displayUrl.href, target, rel, children: linkText },
}))

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
