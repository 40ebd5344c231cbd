'use client'

import { forwardRef, type Ref } from 'react'
import type { PreviewView } from './preview-view.js'
import { createPart, usePartElement, usePreviewView, type Part, type PartContent, type PartProps } from './part.js'

/** The only link of a preview. Its child is the title, unless it has others. */
export const Link: Part<'a'> = /* @__PURE__ */ createPart('Link', ({ state, options: { target, rel }, linkText }) => ({
  tag: 'a',
  attributes: { href: state.displayUrl.href, target, rel, children: linkText },
}))

/** The title of the page; until it is known, and after a failure, its address or the caller's text. */
export const Title: Part<'span'> = /* @__PURE__ */ createPart('Title', ({ linkText }) => text(linkText))

/**
 * The description of the page, as a paragraph; the reason of a failure, and the address where there is none. Nothing while the
 * preview loads.
 */
export const Description: Part<'p'> = /* @__PURE__ */ createPart('Description', ({ card }) =>
  text(card.description, 'p'),
)

export const Author: Part<'span'> = /* @__PURE__ */ createPart('Author', ({ page }) => text(page?.author))

export const Publisher: Part<'span'> = /* @__PURE__ */ createPart('Publisher', ({ page }) => text(page?.publisher))

/** When the page was published, such as "Jan 31, 2026", in the language of the preview. */
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
  tag: 'span',
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
export const Host: Part<'bdi'> = /* @__PURE__ */ createPart('Host', ({ state }) => ({
  tag: 'bdi',
  attributes: { children: state.displayUrl.host },
}))

/** Dimensions, type and size of the image. */
export const ImageDetails: Part<'span'> = /* @__PURE__ */ createPart('ImageDetails', ({ card: { imageDetails } }) =>
  imageDetails.length
    ? {
        tag: 'span',
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

/** "Updating", or "Saved 3d ago" if no newer result could be fetched. Nothing in other states. */
export const Status: Part<'span'> = /* @__PURE__ */ createPart('Status', ({ statusText }) =>
  statusText ? { tag: 'span', key: statusText, attributes: { children: statusText } } : undefined,
)

/** What is shown while the preview loads, such as a grey line. */
export const Skeleton: Part<'span'> = /* @__PURE__ */ createPart('Skeleton', ({ state }) =>
  state.status === 'loading' ? { tag: 'span', attributes: { 'aria-hidden': true } } : undefined,
)

/** The button that fetches again after a failure; nothing if that cannot help. */
export const Retry: Part<'button'> = /* @__PURE__ */ forwardRef<HTMLElement, PartProps<'button'>>(
  function Retry(props, ref) {
    const view = usePreviewView('Retry')
    const { RetryButton } = view.failureParts ?? {}
    return RetryButton && view.failure !== undefined && view.state.canRetry ? (
      <RetryButton view={view}>
        {(content) => <RetryElement content={content} view={view} props={props} callerRef={ref} />}
      </RetryButton>
    ) : null
  },
)

interface RetryElementProps {
  content: PartContent
  view: PreviewView
  props: PartProps<'button'>
  callerRef: Ref<HTMLElement>
}

const RetryElement = ({ content, view, props, callerRef }: RetryElementProps) =>
  usePartElement(content, view, props, callerRef)

const text = (children: unknown, tag: 'span' | 'p' = 'span'): PartContent | undefined =>
  children === undefined || children === null ? undefined : { tag, attributes: { children } }

/** Its box is not the image, because styles of pages for images would resize that. */
export function iconContent({ card: { icon }, state, onBrokenIcon }: PreviewView, pixels: number): PartContent {
  const children = icon ? (
    <img width={pixels} height={pixels} alt="" src={icon} onError={onBrokenIcon} />
  ) : (
    state.displayUrl.letter
  )
  return { tag: 'span', attributes: { 'aria-hidden': true, children } }
}
