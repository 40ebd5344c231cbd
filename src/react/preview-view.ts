import type { ComponentType, ReactNode } from 'react'
import type { Media } from '../query/index.js'
import type { PreviewOptions } from './page-preview-props.js'
import type { DisplayUrl, CardImage, PreviewDetails, PreviewState } from './data/index.js'
import { elementsOf, type Elements } from './preview-elements.js'
import { knownLocale } from './known-locale.js'
import { englishWords } from './messages/english-words.js'
import type { IconProps } from './plain-icon.js'
import { imageFacts } from '../card/index.js'
import { isBusy } from './preview-root.js'
import type * as Trouble from './preview-trouble.js'

/** The page's video, else its audio. */
export interface Sound {
  kind: 'video' | 'audio'
  media: Media
  /** What the button does. */
  label: string
}

/** What differs between markup that a script looks after and markup that stays as it is. */
export interface Making {
  Icon: ComponentType<IconProps>
  Media: ComponentType<{ view: PreviewView }>
}

/** All that the markup shows, whatever its layout. */
export interface PreviewView extends Elements, Making {
  /** Changes when another page or another picture is asked for. */
  id: string
  options: PreviewOptions
  address: DisplayUrl
  /** The author's own words for the link. */
  words: ReactNode
  title: ReactNode
  /** `undefined` while it is awaited. */
  description: string | undefined
  picture: CardImage | undefined
  alt: string
  /** Address of the page's icon. */
  icon: string | undefined
  note: string | undefined
  facts: string[]
  sound: Sound | undefined
  isBusy: boolean
  /** The button and its name, when there is something to try again. */
  Retry: typeof Trouble.RetryButton | undefined
  retry: string
  /** Said once after a Retry. */
  news: string | undefined
  onRetry: () => void
}

interface Words extends Making {
  options: PreviewOptions
  words: ReactNode
  /** Loaded once there is trouble, thus never on a server: there an age would differ from the browser's. */
  trouble?: typeof Trouble | undefined
}

/** Turns the one state of a preview into what is to be seen. */
export function previewView(
  preview: PreviewState & Omit<PreviewDetails, 'ref'>,
  { options, words, trouble, ...making }: Words,
): PreviewView {
  const { status, id, address, picture, wasRetried } = preview
  const messages = { ...englishWords, ...options.messages }
  const locale = knownLocale(options.locale ?? messages.locale)
  const { title, description, logo, video, audio } = 'page' in preview ? preview.page : {}
  const timestamp = 'answer' in preview ? preview.answer?.cache.timestamp : undefined
  const failure = status === 'failed' ? trouble?.failureSentence(messages, preview.error) : undefined
  const isRetrying = status === 'failed' && preview.isRetrying
  const kind = video ? 'video' : 'audio'
  const media = video ?? audio
  return {
    ...elementsOf(options),
    ...making,
    id,
    options,
    address,
    words,
    title: title ?? words ?? address.text,
    description: failure ?? (status === 'loading' ? undefined : (description ?? address.text)),
    picture,
    alt: options.alt ?? (picture?.isScreenshot ? messages.screenshot : messages.image)(address.host),
    icon: logo?.url,
    note:
      status === 'refreshing'
        ? messages.updating
        : status === 'stale' && timestamp && trouble
          ? messages.saved(trouble.ageWords(Date.now() - timestamp, locale))
          : undefined,
    facts: picture ? imageFacts(picture, locale) : [],
    sound: media ? { kind, media, label: messages[kind] } : undefined,
    isBusy: isBusy(preview),
    Retry: failure ? trouble?.RetryButton : undefined,
    retry: messages.retry,
    news: wasRetried && !isRetrying ? (failure ?? messages.loaded) : undefined,
    onRetry: preview.refresh,
  }
}
