import type { ReactNode } from 'react'
import { canonicalLocale, cardModel, layoutOf, type CardModel, type Layout } from '../../card/index.js'
import type { Media, PageData } from '../../query/index.js'
import type { PreviewState } from '../preview-state.js'
import type { InternalDetails, PreviewDetails } from '../use-preview-data.js'
import { englishLabels, type Messages } from '../messages/messages.js'
import type { SplitProps } from '../props.js'
import type * as failureParts from './failure-parts.js'
import type { FailureTexts } from './failure-parts.js'

/** What `render`, `className` and `style` of a part get: the state of the preview, and its layout. */
export type PartState = PreviewState & PreviewDetails & { layout: Layout }

/** The page's video, else its audio. */
export interface PlayableMedia {
  kind: 'video' | 'audio'
  media: Media
  /** Name of the button that plays it. */
  label: string
}

/** Everything that the parts of a preview show, decided in one place. */
export interface PreviewView {
  state: PartState
  /** Whether each part has `data-status` and `data-layout`. */
  showsState: boolean
  /** Changes with the query and the service: a key for elements that must not outlive them. */
  id: string
  options: SplitProps['options']
  locale: string
  page: PageData | undefined
  card: CardModel
  /** The page's title, else the caller's text, else its URL. */
  linkText: ReactNode
  /** Once they are loaded, which only failed and stale previews do. */
  failureTexts: FailureTexts | undefined
  /** Text on the image. */
  statusText: string | undefined
  playable: PlayableMedia | undefined
  /** Tells screen readers how a retry has ended; a chip has no button for it. */
  announcement: ReactNode
  failureParts: FailureParts | undefined
  onBrokenImage: () => void
  onBrokenIcon: () => void
}

/** What only failed and stale previews load; `undefined` until then, and on a server, where an age would differ from the browser's. */
export type FailureParts = typeof failureParts

interface PreviewViewInput extends Pick<
  PreviewView,
  'showsState' | 'options' | 'failureParts' | 'onBrokenImage' | 'onBrokenIcon'
> {
  preview: PreviewState & InternalDetails
  /** The caller's text for the link. */
  children: ReactNode
  /** The image that could be loaded. */
  image: CardModel['image']
  brokenIcon: string | undefined
}

/** Derives everything that a preview shows from its state. */
export function previewView(input: PreviewViewInput): PreviewView {
  const { preview, showsState, options, children, image, brokenIcon, failureParts, onBrokenImage, onBrokenIcon } = input
  const { status, displayUrl, page } = preview
  const messages = { ...englishLabels, ...options.messages }
  const locale = canonicalLocale(options.locale ?? messages.locale)
  const failureTexts = failureParts?.failureTexts(preview, options.messages, locale)
  const layout = layoutOf(options.layout)
  const model = cardModel({ displayUrl, state: status, page, image, locale, alt: options.alt, altMessages: messages })
  const icon = model.icon === brokenIcon ? undefined : model.icon
  return {
    state: { ...preview, layout },
    showsState,
    id: preview.id,
    options,
    locale,
    page,
    card: { ...model, icon, description: failureTexts?.failure ?? model.description },
    linkText: model.title ?? children ?? displayUrl.text,
    failureTexts,
    statusText: status === 'refreshing' ? messages.updating : failureTexts?.saved,
    playable: playableMedia(page, messages),
    failureParts,
    announcement: layout === 'inline' ? undefined : failureTexts?.announcement,
    onBrokenImage,
    onBrokenIcon,
  }
}

function playableMedia(
  { video, audio }: { video?: Media | null; audio?: Media | null } = {},
  labels: Pick<Messages, 'video' | 'audio'>,
): PlayableMedia | undefined {
  if (video) return { kind: 'video', media: video, label: labels.video }
  return audio ? { kind: 'audio', media: audio, label: labels.audio } : undefined
}
