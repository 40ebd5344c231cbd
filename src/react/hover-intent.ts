'use client'

// Its own file because it loads after the link that it observes.

import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { Point } from './hover-card.js'

/** Which link the user wants a preview of, and whether it should be fetched and shown. */
export interface Hover {
  /** `fetching`: the preview is needed but not shown yet. */
  stage: 'closed' | 'fetching' | 'open'
  /** The link that was hovered last; without `within` the element around the children. */
  link?: HTMLElement
  /** Where the pointer was when it reached the link; absent for the keyboard. */
  pointer?: Point | undefined
}

/** The props of `HoverPreview` about hovering, with their defaults. */
export interface IntentSettings {
  delay: number
  closeDelay: number
  open: boolean | undefined
  onOpenChange: ((isOpen: boolean) => void) | undefined
  /** The last event that reached a link before they were observed. */
  startedBy: RefObject<Event | undefined>
}

interface HoverIntentProps {
  /** Contains the children and the card. */
  container: HTMLElement
  within: RefObject<HTMLElement | null> | undefined
  settings: IntentSettings
  onChange: (hover: Hover) => void
}

/** Reports every change of what the user wants to see. Renders nothing. */
export function HoverIntent({ container, within, settings, onChange }: HoverIntentProps): null {
  const latest = useRef(settings)
  const observed = useRef<{ area: HTMLElement; close: () => void; stop: () => void }>(undefined)
  useLayoutEffect(() => {
    latest.current = settings
  })
  useEffect(() => {
    // An app may replace the element in any render.
    const area = within ? within.current : container
    if (observed.current?.area === area) return
    // Nothing would close what is open later.
    observed.current?.close()
    observed.current?.stop()
    observed.current = area ? { area, ...observeHoverIntent(area, container, latest, onChange) } : undefined
  })
  useEffect(
    () => () => {
      observed.current?.stop()
      observed.current = undefined
    },
    [],
  )
  return null
}

/** A pointer that only crosses a link leaves it within this time. */
const FETCH_DELAY_MS = 80
const LONG_PRESS_MS = 500
const CALLOUT = '-webkit-touch-callout'

const isTouch = (event: Event) => event instanceof PointerEvent && event.pointerType === 'touch'
const hasKeyboardFocus = (link: HTMLElement) => link.matches(':focus-visible, :has(:focus-visible)')

/**
 * Reports what the user wants to see, until `stop` is called. The preview of a link opens on hover, on keyboard
 * focus and on a long press, stays open while it is hovered itself, and closes on Escape or a tap outside.
 *
 * @param area       Has the links; or it is the container, which is then hovered as a whole.
 * @param container  Has the card.
 * @see              https://www.w3.org/WAI/WCAG22/Understanding/content-on-hover-or-focus.html
 */
function observeHoverIntent(
  area: HTMLElement,
  container: HTMLElement,
  settings: RefObject<IntentSettings>,
  report: (hover: Hover) => void,
): { close: () => void; stop: () => void } {
  let hover: Hover = { stage: 'closed' }
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The link that the mouse is over, which opens its preview once. */
  let hovered: HTMLElement | undefined
  /** What the timer opens. */
  let opening: { link: HTMLElement; pointer: Point | undefined } | undefined
  let press: { link: HTMLElement; startedAt: number; wasOpen: boolean } | undefined
  /** A link that was pressed for long, which the click of this press does not follow. */
  let unfollowed: HTMLElement | undefined

  function stopTimer() {
    clearTimeout(timer)
    opening = undefined
  }
  function change(next: Hover) {
    stopTimer()
    const wasOpen = isOpen()
    const isChange = hover.stage !== 'closed' || next.stage !== 'closed'
    hover = next
    // Whatever is pressed on the page closes each preview, of which nearly all are closed.
    if (isChange) report(next)
    const opens = next.stage === 'open'
    // A preview that is being fetched neither opens nor closes.
    if (opens !== wasOpen && next.stage !== 'fetching') settings.current.onOpenChange?.(opens)
  }
  const isOpen = () => settings.current.open ?? hover.stage === 'open'
  const close = () => change({ ...hover, stage: 'closed' })
  const isOpenAt = (link: HTMLElement) => hover.stage === 'open' && hover.link === link

  /** Opens after a delay, and fetches before that, as long as the condition holds. */
  function open(link: HTMLElement, delayMs: number, pointer?: Point, condition = () => true) {
    stopTimer()
    if (isOpenAt(link)) return
    const after = (ms: number, proceed: () => void) => {
      opening = { link, pointer }
      timer = setTimeout(() => (link.isConnected && condition() ? proceed() : close()), ms)
    }
    const fetchDelayMs = Math.min(FETCH_DELAY_MS, delayMs)
    after(fetchDelayMs, () => {
      // The card of another link stays until this one opens.
      if (hover.stage !== 'open') change({ stage: 'fetching', link, pointer })
      after(delayMs - fetchDelayMs, () => change({ stage: 'open', link, pointer }))
    })
  }

  const isCard = (node: EventTarget | null | undefined) =>
    node instanceof Element && Boolean(node.closest('.pp-popover'))
  function linkOf(node: EventTarget | null | undefined): HTMLElement | undefined {
    if (!(node instanceof Element && area.contains(node)) || isCard(node)) return undefined
    if (area === container) return area
    const link = node.closest<HTMLAnchorElement | SVGAElement>('a[href]')
    // Others have no page: an address for mail, for a phone. A link in an SVG has no `protocol`.
    return link && 'protocol' in link && link.protocol.startsWith('http') ? link : undefined
  }

  const onMouse = (event: PointerEvent) => {
    if (isTouch(event)) return
    const [node] = event.composedPath()
    const link = linkOf(node)
    if (isCard(node)) stopTimer()
    else if (link && link !== hovered) {
      hovered = link
      if (opening?.link !== link) open(link, settings.current.delay, event)
    }
  }
  const onMouseLeave = (event: PointerEvent) => {
    const { relatedTarget } = event
    if (isTouch(event) || isCard(relatedTarget) || (hovered && linkOf(relatedTarget) === hovered)) return
    hovered = undefined
    // What the focus opens, or has opened, stays; a link that the pointer only crosses does not open.
    if (opening && !opening.pointer && hasKeyboardFocus(opening.link)) return
    stopTimer()
    if (hover.stage === 'open' && hover.link && hasKeyboardFocus(hover.link)) return
    timer = setTimeout(close, settings.current.closeDelay)
  }

  const onFocus = ({ target }: Event) => {
    const link = linkOf(target)
    if (link && hasKeyboardFocus(link)) open(link, settings.current.delay)
  }
  const onBlur = () => {
    if (!hovered) close()
  }

  const startPress = (link: HTMLElement, event?: PointerEvent, isStillPressed?: () => boolean) => {
    press = { link, startedAt: performance.now(), wasOpen: isOpenAt(link) }
    open(link, LONG_PRESS_MS, event, isStillPressed)
  }
  const onTouch = (event: PointerEvent) => {
    const link = linkOf(event.composedPath()[0])
    if (isTouch(event) && link) startPress(link, event)
  }
  const onTouchEnd = (event: PointerEvent) => {
    if (!isTouch(event) || !press) return
    const { link, startedAt, wasOpen } = press
    press = undefined
    if (!isOpenAt(link)) close()
    // No click follows a press that was cancelled.
    else if (event.type === 'pointerup' && (!wasOpen || performance.now() - startedAt >= LONG_PRESS_MS))
      unfollowed = link
  }
  // In place of the link's menu. Where the system opens that earlier than the card, it is a long press already.
  const onContextMenu = (event: Event) => {
    if (!press) return
    event.preventDefault()
    if (!isOpenAt(press.link)) change({ stage: 'open', link: press.link })
  }
  const onClick = (event: Event) => {
    const link = linkOf(event.composedPath()[0])
    if (link && link === unfollowed) event.preventDefault()
    // The link is followed, possibly within the same document.
    else if (link) close()
    unfollowed = undefined
  }

  const onPress = (event: PointerEvent) => {
    // Not every browser sends a click after a long press.
    unfollowed = undefined
    const path = event.composedPath()
    if (!isCard(path[0]) && !(hover.link && path.includes(hover.link))) close()
  }
  const onKey = (event: KeyboardEvent) => {
    unfollowed = undefined
    if (event.key !== 'Escape') return
    const { open, onOpenChange } = settings.current
    const closes = isOpen() && (open === undefined || onOpenChange)
    // A dialog around the link stays open.
    if (closes && (hover.link || area === container)) {
      event.preventDefault()
      event.stopPropagation()
    }
    close()
  }

  const listeners = new AbortController()
  const { signal } = listeners
  for (const element of new Set([area, container])) {
    // A move too, because the pointer may have been there before this function.
    for (const type of ['pointerover', 'pointermove'] as const) element.addEventListener(type, onMouse, { signal })
    element.addEventListener('pointerout', onMouseLeave, { signal })
  }
  area.addEventListener('focusin', onFocus, { signal })
  area.addEventListener('focusout', onBlur, { signal })
  area.addEventListener('pointerdown', onTouch, { signal })
  for (const type of ['pointerup', 'pointercancel'] as const) area.addEventListener(type, onTouchEnd, { signal })
  area.addEventListener('contextmenu', onContextMenu, { signal })
  area.addEventListener('click', onClick, { signal, capture: true })
  // Before the press of another link, which opens its preview.
  area.ownerDocument.addEventListener('pointerdown', onPress, { signal, capture: true })
  // Before dialogs, which listen to the document.
  area.ownerDocument.defaultView!.addEventListener('keydown', onKey, { signal, capture: true })

  // iOS opens its own menu otherwise, and sends no `contextmenu` that could prevent it. The stylesheet does this for the container.
  if (area !== container) area.style.setProperty(CALLOUT, 'none')

  startFromCurrentState()
  /**
   * The pointer, the finger or the focus may have arrived before this function. After a tap a link matches `:active` briefly and
   * `:hover` permanently, so a finger must still be pressed. Not every browser matches `:active` at once, or at all, for a finger,
   * but while it is pressed it belongs to the element that it has touched.
   */
  function startFromCurrentState() {
    const startedBy = settings.current.startedBy.current
    if (startedBy instanceof PointerEvent && isTouch(startedBy)) {
      const touched = startedBy.target as HTMLElement
      const isStillPressed = () => touched.hasPointerCapture(startedBy.pointerId)
      const link = linkOf(touched)
      if (link && isStillPressed()) startPress(link, startedBy, isStillPressed)
      return
    }
    const linkThat = (state: string) =>
      linkOf([...area.querySelectorAll(state)].at(-1) ?? (area.matches(state) ? area : null))
    const hasTouchScreen = navigator.maxTouchPoints > 0
    const pressed = hasTouchScreen ? linkThat(':active') : undefined
    const link = linkThat(':focus-visible') ?? (hasTouchScreen ? undefined : linkThat(':hover'))
    if (pressed) startPress(pressed, undefined, () => pressed.matches(':active'))
    else if (link) open(link, settings.current.delay)
  }

  const stop = () => {
    stopTimer()
    listeners.abort()
    if (area !== container) area.style.removeProperty(CALLOUT)
  }
  return { close, stop }
}
