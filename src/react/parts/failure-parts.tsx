'use client'

// Its own file because only failed and stale previews load it.

import { useLayoutEffect, useState, type CSSProperties, type MouseEvent, type ReactNode } from 'react'
import type { PageError } from '../../query/index.js'
import type { PreviewResult, PreviewState } from '../preview-state.js'
import { englishFailureTexts } from '../messages/english-failure-texts.js'
import type { Messages } from '../messages/messages.js'

/** What a preview shows whose page, or a newer result of it, could not be fetched. */
export interface FailureParts {
  /** One sentence that explains why there is no preview. */
  failure: string | undefined
  /** "Saved 3d ago", of a stale result whose time is known. */
  saved: string | undefined
  retry: string
  RetryButton: typeof RetryButton
  /** Tells screen readers how a retry has ended; it has no text until then. */
  announcement: ReactNode
}

/** @param wasRetried  Whether the page was fetched again after a failure because a user asked for it. */
export function failureParts(
  preview: PreviewState,
  callerMessages: Partial<Messages> | undefined,
  locale: string,
  wasRetried: boolean,
): FailureParts {
  const messages = { ...englishFailureTexts, ...callerMessages }
  const failure = preview.status === 'failed' ? failureMessage(messages, preview.error) : undefined
  return {
    failure,
    saved: preview.status === 'stale' ? savedText(preview.result, messages, locale) : undefined,
    retry: messages.retry,
    RetryButton,
    announcement: wasRetried && announcementOf(preview, failure ?? messages.loaded),
  }
}

function failureMessage(
  { failed, reasons: callerReasons }: Pick<Messages, 'failed' | 'reasons'>,
  { code, data }: PageError,
): string {
  const reasons = { ...englishFailureTexts.reasons, ...callerReasons }
  const detailedCode = `${code}.${data?.element}` as keyof Messages['reasons']
  return failed(reasons[detailedCode] ?? reasons[code] ?? reasons.EFATAL ?? code)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function savedText(
  result: PreviewResult | undefined,
  { saved }: Pick<Messages, 'saved'>,
  locale: string,
): string | undefined {
  const { timestamp } = result?.cache ?? {}
  return timestamp === undefined ? undefined : saved(formatAge(Date.now() - timestamp, locale))
}

/** `3d ago`: an age in its largest unit, at least one minute. */
function formatAge(ageMs: number, locale: string): string {
  const [unit, unitMs] = UNITS.find(([, unitMs]) => ageMs >= unitMs) ?? UNITS[2]
  const format = new Intl.RelativeTimeFormat(locale, { style: 'narrow' })
  return format.format(-Math.max(1, Math.floor(ageMs / unitMs)), unit)
}

interface RetryButtonProps {
  label: string
  refresh: () => void
  /** Renders the button, whose element the caller may have replaced. */
  children: (button: { tag: 'button'; attributes: Record<string, unknown> }) => ReactNode
}

/** The button that fetches again. When it disappears while it has the focus, the nearest link gets the focus. */
function RetryButton({ label, refresh, children }: RetryButtonProps): ReactNode {
  const [pressed, setPressed] = useState<HTMLElement>()
  useLayoutEffect(
    () => () => {
      if (pressed?.matches(':focus')) nearestLink(pressed)?.focus({ preventScroll: true })
    },
    [pressed],
  )
  const onClick = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    setPressed(currentTarget)
    refresh()
  }
  return children({ tag: 'button', attributes: { type: 'button', onClick, children: label } })
}

function nearestLink({ parentElement }: HTMLElement): HTMLElement | null {
  return parentElement && (parentElement.querySelector('a') ?? nearestLink(parentElement))
}

const VISUALLY_HIDDEN: CSSProperties = {
  position: 'absolute',
  clipPath: 'inset(50%)',
  overflow: 'hidden',
  width: '1px',
  height: '1px',
}

const announcementOf = (preview: PreviewState, text: string): ReactNode => (
  <span style={VISUALLY_HIDDEN} role="status">
    {preview.status === 'loading' || (preview.status === 'failed' && preview.isRetrying) ? undefined : text}
  </span>
)
