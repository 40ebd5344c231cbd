'use client'

import { forwardRef, useState, type Ref } from 'react'
import { imageSizes } from '../../card/index.js'
import { imageAttributes } from '../image.js'
import { useLazyModule } from '../use-lazy-module.js'
import {
  createPart,
  useMergedRefs,
  usePartElement,
  usePreviewView,
  type Part,
  type PartProps,
  type PlayState,
} from './part.js'
import type { PlayableMedia, PreviewView } from './preview-view.js'
import { iconContent } from './texts.js'
import { useFadeIn } from './use-fade-in.js'

/**
 * The box of the image. Give it a height or a ratio, so that nothing moves when the image arrives: it clips what is larger than itself,
 * unless its `style` has an `overflow`.
 */
export const Media: Part<'div'> = /* @__PURE__ */ forwardRef<HTMLElement, PartProps<'div'>>(
  function Media(props, callerRef) {
    const view = usePreviewView('Media')
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
  const view = usePreviewView('Image')
  return view.card.image ? <FadingImage key={view.id} view={view} props={props} callerRef={ref} /> : null
})

function FadingImage({
  view,
  props,
  callerRef,
}: {
  view: PreviewView
  props: PartProps<'img'>
  callerRef: Ref<HTMLElement>
}) {
  const { card, options, state } = view
  const { ref: fadeRef, ...handlers } = useFadeIn(options.priority, view.onBrokenImage)
  const ref = useMergedRefs(fadeRef, callerRef)
  const image = card.image!
  const attributes = {
    ...imageAttributes({ image, sizes: imageSizes(state.layout), options }),
    ...handlers,
    alt: card.alt,
    src: image.src,
  }
  return usePartElement({ tag: 'img', attributes }, view, props, ref)
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
    const view = usePreviewView('Play')
    return view.playable ? (
      <LazyPlay key={view.id} view={view} playable={view.playable} props={props} callerRef={ref} />
    ) : null
  },
)

interface LazyPlayProps {
  view: PreviewView
  playable: PlayableMedia
  props: PartProps<'button', PlayState>
  callerRef: Ref<HTMLElement>
}

function LazyPlay({ view, playable, props, callerRef }: LazyPlayProps) {
  const { playButton, player, focusPlayer } = useLazyModule(loadMediaPlayer, true) ?? {}
  const [isPlaying, setIsPlaying] = useState(false)
  const content = isPlaying
    ? player?.(playable, () => setIsPlaying(false))
    : playButton?.(playable, () => setIsPlaying(true))
  const { className, style } = props
  return usePartElement(
    content,
    { ...view, state: { ...view.state, isPlaying } },
    isPlaying ? { className, style } : props,
    isPlaying ? focusPlayer : callerRef,
  )
}
