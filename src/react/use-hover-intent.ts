'use client'

import { useEffect, useState } from 'react'

/** A pointer that only crosses a link is gone by then, and nothing is asked for it. */
const ASK_MS = 80
const OPEN_MS = 300
const HOLD_MS = 500
/** Long enough to get from the link to the preview. */
const CLOSE_MS = 150

type Stage = 'none' | 'wanted' | 'open'

interface HoverIntent {
  /** Somebody points at it: time to fetch. */
  isWanted: boolean
  isOpen: boolean
}

/**
 * Whether somebody means the preview of `anchor`: points at it or at what is in it, has it in focus by keyboard, or holds a
 * finger on it. Escape ends it, and so does a tap elsewhere.
 *
 * @see  https://www.w3.org/WAI/WCAG22/Understanding/content-on-hover-or-focus.html
 */
export function useHoverIntent(anchor: HTMLElement, home: HTMLElement): HoverIntent {
  const [stage, setStage] = useState<Stage>('none')
  useEffect(() => watchIntent(anchor, home, setStage), [anchor, home])
  return { isWanted: stage !== 'none', isOpen: stage === 'open' }
}

function watchIntent(anchor: HTMLElement, home: HTMLElement, tell: (stage: Stage) => void): () => void {
  const end = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  let stage: Stage = 'none'
  let isHeld = false

  function become(next: Stage, afterMs = 0, isStillMeant = () => true, afterwards?: () => void) {
    clearTimeout(timer)
    const change = () => {
      stage = anchor.isConnected && isStillMeant() ? next : 'none'
      tell(stage)
      if (stage === next) afterwards?.()
    }
    if (afterMs) timer = setTimeout(change, afterMs)
    else change()
  }
  function want(delayMs: number, isStillMeant?: () => boolean) {
    if (stage === 'open') become('open')
    else become('wanted', ASK_MS, isStillMeant, () => become('open', delayMs - ASK_MS, isStillMeant))
  }
  const isFocused = () => anchor.matches(':focus-visible, :has(:focus-visible)')
  const isTouch = (event: Event) => event instanceof PointerEvent && event.pointerType === 'touch'
  const on = (target: EventTarget, type: string, react: (event: Event) => void) =>
    target.addEventListener(type, react, { signal: end.signal, capture: type === 'click' })

  for (const place of new Set([anchor, home])) {
    on(place, 'pointerenter', (event) => !isTouch(event) && want(OPEN_MS))
    on(place, 'pointerleave', (event) => !isTouch(event) && !isFocused() && become('none', CLOSE_MS))
  }
  on(anchor, 'focusin', () => isFocused() && want(OPEN_MS))
  on(anchor, 'focusout', () => !anchor.matches(':hover') && become('none'))

  const hold = (isStillMeant?: () => boolean) => {
    isHeld = false
    want(HOLD_MS, isStillMeant)
  }
  on(anchor, 'pointerdown', (event) => isTouch(event) && hold())
  for (const type of ['pointerup', 'pointercancel'])
    on(anchor, type, (event) => {
      if (!isTouch(event)) return
      isHeld = stage === 'open'
      if (!isHeld) become('none')
    })
  // What a long press means elsewhere: the menu of the link, and following it when the finger leaves.
  on(anchor, 'contextmenu', (event) => isTouch(event) && event.preventDefault())
  on(anchor, 'click', (event) => {
    if (isHeld) event.preventDefault()
    // It leads elsewhere, maybe on the same page.
    else become('none')
    isHeld = false
  })

  const { ownerDocument } = anchor
  on(ownerDocument, 'keydown', (event) => event instanceof KeyboardEvent && event.key === 'Escape' && become('none'))
  on(ownerDocument, 'pointerdown', (event) => {
    const path = event.composedPath()
    if (!path.includes(anchor) && !path.includes(home)) become('none')
  })

  // It began before this was loaded. After a finger has left, a link looks pressed a little longer, and pointed at for good.
  const isPressed = () => anchor.matches(':active')
  const isByFinger = navigator.maxTouchPoints > 0 && matchMedia('(hover: none)').matches
  if (isByFinger && isPressed()) hold(isPressed)
  else if (isFocused() || (!isByFinger && anchor.matches(':hover'))) want(OPEN_MS)
  return () => {
    clearTimeout(timer)
    end.abort()
  }
}
