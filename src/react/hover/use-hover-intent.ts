'use client'

import { useEffect, useState } from 'react'

/** `fetching`: the preview is needed but not shown yet. */
type HoverStage = 'closed' | 'fetching' | 'open'

interface HoverIntent {
  /** The user has shown intent to open the preview, so it is fetched. */
  isNeeded: boolean
  isOpen: boolean
}

/**
 * Whether the preview of `anchor` should be fetched and shown. It opens on hover, on keyboard focus and on a long press, may
 * be hovered itself, and closes on Escape or a tap outside.
 *
 * @param container  Contains the preview; the anchor itself, or an element elsewhere in the document.
 * @see              https://www.w3.org/WAI/WCAG22/Understanding/content-on-hover-or-focus.html
 */
export function useHoverIntent(anchor: HTMLElement, container: HTMLElement): HoverIntent {
  const [stage, setStage] = useState<HoverStage>('closed')
  useEffect(() => observeHoverIntent(anchor, container, setStage), [anchor, container])
  return { isNeeded: stage !== 'closed', isOpen: stage === 'open' }
}

/** A pointer that only crosses a link leaves it within this time. */
const FETCH_DELAY_MS = 80
const HOVER_DELAY_MS = 300
const LONG_PRESS_MS = 500
/** Enough to move the pointer from the link to the preview. */
const CLOSE_DELAY_MS = 150

/**
 * Reports the stages of the preview of `anchor`, until the returned function is called.
 *
 * @param container  Contains the preview; hovering it keeps the preview open.
 */
function observeHoverIntent(
  anchor: HTMLElement,
  container: HTMLElement,
  onChange: (stage: HoverStage) => void,
): () => void {
  const listeners = new AbortController()
  const timeline = stageTimeline(anchor, onChange)
  const listen: Listen = (target, type, listener) =>
    target.addEventListener(type, listener, { signal: listeners.signal, capture: type === 'click' })
  listenToMouse(anchor, container, timeline, listen)
  listenToFocus(anchor, timeline, listen)
  const startPress = listenToTouch(anchor, timeline, listen)
  listenToDismissal(anchor, container, timeline, listen)
  startFromCurrentState(anchor, timeline, startPress)
  return () => {
    timeline.cancel()
    listeners.abort()
  }
}

type Listen = (target: EventTarget, type: string, listener: (event: Event) => void) => void
type Condition = () => boolean

interface StageTimeline {
  isOpen: () => boolean
  /** Fetches after a short delay, and opens after `delayMs`, as long as the condition holds. */
  open: (delayMs: number, condition?: Condition) => void
  close: (delayMs?: number) => void
  cancel: () => void
}

/** One pending change of the stage at a time: each new one replaces it. */
function stageTimeline(anchor: HTMLElement, onChange: (stage: HoverStage) => void): StageTimeline {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stage: HoverStage = 'closed'
  const always = () => true

  function schedule(next: HoverStage, delayMs: number, condition: Condition = always, afterwards?: () => void) {
    clearTimeout(timer)
    const change = () => {
      stage = anchor.isConnected && condition() ? next : 'closed'
      onChange(stage)
      if (stage === next) afterwards?.()
    }
    if (delayMs) timer = setTimeout(change, delayMs)
    else change()
  }
  return {
    isOpen: () => stage === 'open',
    open(delayMs, condition) {
      if (stage === 'open') schedule('open', 0)
      else schedule('fetching', FETCH_DELAY_MS, condition, () => schedule('open', delayMs - FETCH_DELAY_MS, condition))
    },
    close: (delayMs = 0) => schedule('closed', delayMs),
    cancel: () => clearTimeout(timer),
  }
}

const isTouch = (event: Event) => event instanceof PointerEvent && event.pointerType === 'touch'
const hasKeyboardFocus = (anchor: HTMLElement) => anchor.matches(':focus-visible, :has(:focus-visible)')

function listenToMouse(anchor: HTMLElement, container: HTMLElement, timeline: StageTimeline, listen: Listen): void {
  let isOver = false
  for (const element of new Set([anchor, container])) {
    // On a machine with a touch screen, only a move tells that the pointer that was there before this module is a mouse.
    for (const type of ['pointerenter', 'pointermove'])
      listen(element, type, (event) => {
        if (isTouch(event) || isOver) return
        isOver = true
        timeline.open(HOVER_DELAY_MS)
      })
    listen(element, 'pointerleave', (event) => {
      if (isTouch(event)) return
      isOver = false
      if (!hasKeyboardFocus(anchor)) timeline.close(CLOSE_DELAY_MS)
    })
  }
}

function listenToFocus(anchor: HTMLElement, timeline: StageTimeline, listen: Listen): void {
  listen(anchor, 'focusin', () => {
    if (hasKeyboardFocus(anchor)) timeline.open(HOVER_DELAY_MS)
  })
  listen(anchor, 'focusout', () => {
    if (!anchor.matches(':hover')) timeline.close()
  })
}

/**
 * A long press opens the preview in place of the link's context menu, and its release does not follow the link.
 *
 * @returns  Starts a press that began earlier.
 */
function listenToTouch(
  anchor: HTMLElement,
  timeline: StageTimeline,
  listen: Listen,
): (isStillPressed?: Condition) => void {
  let wasLongPress = false
  let wasOpenBefore = false
  let pressedAt = 0
  const startPress = (isStillPressed?: Condition) => {
    wasLongPress = false
    wasOpenBefore = timeline.isOpen()
    pressedAt = performance.now()
    timeline.open(LONG_PRESS_MS, isStillPressed)
  }
  listen(anchor, 'pointerdown', (event) => {
    if (isTouch(event)) startPress()
  })
  for (const type of ['pointerup', 'pointercancel'])
    listen(anchor, type, (event) => {
      if (!isTouch(event)) return
      if (!timeline.isOpen()) timeline.close()
      // No click follows a press that was cancelled.
      else if (type === 'pointerup') wasLongPress = !wasOpenBefore || performance.now() - pressedAt >= LONG_PRESS_MS
    })
  listen(anchor, 'contextmenu', (event) => {
    if (isTouch(event)) event.preventDefault()
  })
  listen(anchor, 'click', (event) => {
    if (wasLongPress) event.preventDefault()
    // The link is followed, possibly within the same document.
    else timeline.close()
    wasLongPress = false
  })
  return startPress
}

function listenToDismissal(anchor: HTMLElement, container: HTMLElement, timeline: StageTimeline, listen: Listen): void {
  const { ownerDocument } = anchor
  listen(ownerDocument, 'keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape') timeline.close()
  })
  listen(ownerDocument, 'pointerdown', (event) => {
    const path = event.composedPath()
    if (!path.includes(anchor) && !path.includes(container)) timeline.close()
  })
}

/**
 * The pointer, the finger or the focus may have arrived while this module was loaded. After a tap a link matches `:active`
 * briefly and `:hover` permanently, so a finger must still be pressed.
 */
function startFromCurrentState(
  anchor: HTMLElement,
  timeline: StageTimeline,
  startPress: (isStillPressed: Condition) => void,
): void {
  const isPressed = () => anchor.matches(':active')
  const hasTouchScreen = navigator.maxTouchPoints > 0
  if (hasTouchScreen && isPressed()) startPress(isPressed)
  else if (hasKeyboardFocus(anchor) || (!hasTouchScreen && anchor.matches(':hover'))) timeline.open(HOVER_DELAY_MS)
}
