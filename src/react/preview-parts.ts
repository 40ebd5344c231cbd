import type { ReactNode } from 'react'
import { formatAge } from './format-age.js'
import { failureSentence, type Messages } from './messages.js'
import type { PageAddress } from './page-address.js'
import type { Picture, UsePagePreviewResult } from './data/index.js'

/** What a preview shows, whatever its layout. */
export interface PreviewParts {
  title: ReactNode
  /** `undefined` while it is awaited. */
  description: string | undefined
  picture: Picture | undefined
  /** Address of the page's icon. */
  icon: string | undefined
  note: string | undefined
  isBusy: boolean
  canRetry: boolean
  /** Said once after a Retry. */
  news: string | undefined
}

interface Words {
  address: PageAddress
  /** The author's own words for the link. */
  words: ReactNode
  messages: Messages
  locale: string
}

/** Turns the one state of a preview into what is to be seen. */
export function previewParts(preview: UsePagePreviewResult, { address, words, messages, locale }: Words): PreviewParts {
  const { picture, wasRetried } = preview
  const none = { title: words ?? address.text, picture, icon: undefined, note: undefined, news: undefined }
  switch (preview.status) {
    case 'loading':
      return { ...none, description: undefined, isBusy: true, canRetry: false }
    case 'failed': {
      const description = failureSentence(messages, preview.error)
      const { isRetrying } = preview
      return { ...none, description, isBusy: isRetrying, canRetry: true, news: isRetrying ? undefined : description }
    }
    default: {
      const { title, description, logo } = preview.page
      const isRefreshing = preview.status === 'refreshing'
      const timestamp = preview.answer?.cache.timestamp
      const age = preview.status === 'stale' && timestamp ? formatAge(Date.now() - timestamp, locale) : undefined
      return {
        title: title ?? none.title,
        description: description ?? address.text,
        picture,
        icon: logo?.url,
        note: isRefreshing ? messages.updating : age && messages.saved(age),
        isBusy: isRefreshing,
        canRetry: false,
        news: wasRetried ? messages.loaded : undefined,
      }
    }
  }
}
