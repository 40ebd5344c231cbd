'use client'

// Its own file because only failed and stale previews load it.

import { useLayoutEffect, useState, type CSSProperties, type MouseEvent, type ReactNode } from 'react'
import type { PageError } from '../../query/index.js'
import type { PreviewResult, PreviewState } from '../preview-state.js'
import type { InternalDetails } from '../use-preview-data.js'
import { englishReasons } from '../messages/english-reasons.js'
import type { Messages } from '../messages/messages.js'

/** One sentence for the reader that explains why there is no preview. */
export function failureMessage(
  { failed, reasons: callerReasons }: Pick<Messages, 'failed'> & Partial<Messages>,
  { code, data }: PageError,
): string {
  const reasons = { ...englishReasons, ...callerReasons }
  const detailedCode = `${code}.${data?.element}` as keyof Messages['reasons']
  return failed(reasons[detailedCode] ?? reasons[code] ?? reasons.EFATAL ?? code)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** "Saved 3d ago", of a result whose time is known. */
export function savedText(
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
export function RetryButton({ label, refresh, children }: RetryButtonProps): ReactNode {
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

/** Tells screen readers how a retry has ended; it has no text until then. */
export const announcementOf = (preview: PreviewState & InternalDetails, text: string): ReactNode =>
  preview.wasRetried && (
    <span style={VISUALLY_HIDDEN} role="status">
      {preview.status === 'failed' && preview.isRetrying ? undefined : text}
    </span>
  )
