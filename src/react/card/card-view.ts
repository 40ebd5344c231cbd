import type { ComponentType, ReactNode } from 'react'
import { canonicalLocale, cardModel, type CardModel } from '../../card/index.js'
import type { Media, PageError } from '../../query/index.js'
import { isBusy, type PreviewState } from '../data/preview-state.js'
import type { InternalDetails } from '../data/use-preview-data.js'
import { englishLabels } from '../messages/english-labels.js'
import type { Messages } from '../messages/messages.js'
import type { SplitProps, StylingProps } from '../props.js'

/** The page's video, else its audio. */
export interface PlayableMedia {
  kind: 'video' | 'audio'
  media: Media
  /** Name of the button that plays it. */
  label: string
}

export interface IconProps {
  view: CardView
  /** Small next to the host (`icon`), or large in place of a missing image (`fallback`). */
  part: 'icon' | 'fallback'
}

/** Needed and loaded only for failed and stale previews. */
export interface FailureDetails {
  failureMessage: (messages: Pick<Messages, 'failed'> & Partial<Messages>, error: PageError) => string
  formatAge: (ageMs: number, locale: string) => string
  RetryButton: ComponentType<{ view: CardView }>
}

/** Everything that the components of a card render, in any layout. */
export interface CardView extends MediaComponents {
  /** The class names of each part. */
  classNames: (part: string) => string | undefined
  card: CardModel
  /** Changes with the query and the service: a key for elements that must not outlive them. */
  id: string
  options: SplitProps['options']
  /** The card has only inline elements and nothing to click, because it may be in a paragraph and next to a link. */
  isPassive: boolean
  /** The caller's text for the link. */
  children: ReactNode
  /** The page's title, else `children`, else its URL. */
  linkText: ReactNode
  /** Text on the image. */
  statusText: string | undefined
  playable: PlayableMedia | undefined
  isBusy: boolean
  /** Present when there is a failure to retry. */
  RetryButton: ComponentType<{ view: CardView }> | undefined
  retryLabel: string
  /** What screen readers announce, once after a retry. */
  announcement: string | undefined
  onRetry: () => void
}

/** The parts that need script in a browser, and are static in a server component. */
interface MediaComponents {
  Icon: ComponentType<IconProps>
  Media: ComponentType<{ view: CardView }>
}

/**
 * Derives everything that a card shows from the state of its preview.
 *
 * @param failureDetails  Never present on a server: there an age would differ from the browser's.
 */
export function cardView(
  preview: PreviewState & InternalDetails,
  {
    options,
    children,
    isPassive = false,
    failureDetails,
    Icon,
    Media,
  }: MediaComponents &
    Pick<CardView, 'options' | 'children'> & {
      isPassive?: boolean | undefined
      failureDetails?: FailureDetails | undefined
    },
): CardView {
  const { status, id, displayUrl, image } = preview
  const messages = { ...englishLabels, ...options.messages }
  const locale = canonicalLocale(options.locale ?? messages.locale)
  const page = 'page' in preview ? preview.page : undefined
  const failure = status === 'failed' ? failureDetails?.failureMessage(messages, preview.error) : undefined
  const isRetrying = status === 'failed' && preview.isRetrying
  const card = cardModel({
    displayUrl,
    state: status,
    page,
    image,
    locale,
    alt: options.alt,
    altMessages: messages,
  })
  return {
    classNames: classNamesOf(options),
    Icon,
    Media,
    card: { ...card, description: failure ?? card.description },
    id,
    options,
    isPassive,
    children,
    linkText: card.title ?? children ?? displayUrl.text,
    statusText: statusText(preview, messages, (ageMs) => failureDetails?.formatAge(ageMs, locale)),
    playable: isPassive ? undefined : playableMedia(page, messages),
    isBusy: isBusy(preview),
    RetryButton: failure && !isPassive ? failureDetails?.RetryButton : undefined,
    retryLabel: messages.retry,
    announcement: preview.wasRetried && !isRetrying ? (failure ?? messages.loaded) : undefined,
    onRetry: preview.refresh,
  }
}

function statusText(
  preview: PreviewState,
  { updating, saved }: Pick<Messages, 'updating' | 'saved'>,
  formatAge: (ageMs: number) => string | undefined,
): string | undefined {
  if (preview.status === 'refreshing') return updating
  const timestamp = preview.status === 'stale' ? preview.result?.cache.timestamp : undefined
  const age = timestamp ? formatAge(Date.now() - timestamp) : undefined
  return age && saved(age)
}

function playableMedia(
  { video, audio }: { video?: Media | null; audio?: Media | null } = {},
  labels: Pick<Messages, 'video' | 'audio'>,
): PlayableMedia | undefined {
  if (video) return { kind: 'video', media: video, label: labels.video }
  return audio ? { kind: 'audio', media: audio, label: labels.audio } : undefined
}

/** The class names of each part: the library's first, the caller's after it. */
export function classNamesOf({ classNames = {} }: StylingProps): (part: string) => string | undefined {
  const callerNames: Readonly<Record<string, string>> = classNames
  return (part) => joinNames(part === 'root' ? 'page-preview' : `pp-${kebabCase(part)}`, callerNames[part])
}

const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The value of a `class` attribute; `undefined` when there is none. */
export const joinNames = (...names: (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined
