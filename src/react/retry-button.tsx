'use client'

import { useLayoutEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import type { PreviewView } from './preview-view.js'

/** Asks again; when it goes and still has the focus, the link has it next. */
export function RetryButton({ view: { tags, name, retry, onRetry } }: { view: PreviewView }): ReactNode {
  const pressed = useRef<HTMLElement>(null)
  useLayoutEffect(
    () => () => {
      if (pressed.current?.matches(':focus')) nearestLink(pressed.current)?.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <tags.retry
      className={name('retry')}
      type="button"
      onClick={({ currentTarget }: MouseEvent<HTMLElement>) => {
        pressed.current = currentTarget
        onRetry()
      }}
    >
      {retry}
    </tags.retry>
  )
}

function nearestLink({ parentElement }: HTMLElement): HTMLElement | null {
  return parentElement && (parentElement.querySelector('a') ?? nearestLink(parentElement))
}
