'use client'

import { useLayoutEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import type { CardView } from './card-view.js'

/** Fetches again. When it disappears while it has the focus, the nearest link gets the focus. */
export function RetryButton({ view: { tags, classNames, retryLabel, onRetry } }: { view: CardView }): ReactNode {
  const pressed = useRef<HTMLElement>(null)
  useLayoutEffect(
    () => () => {
      if (pressed.current?.matches(':focus')) nearestLink(pressed.current)?.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <tags.retry
      className={classNames('retry')}
      type="button"
      onClick={({ currentTarget }: MouseEvent<HTMLElement>) => {
        pressed.current = currentTarget
        onRetry()
      }}
    >
      {retryLabel}
    </tags.retry>
  )
}

function nearestLink({ parentElement }: HTMLElement): HTMLElement | null {
  return parentElement && (parentElement.querySelector('a') ?? nearestLink(parentElement))
}
