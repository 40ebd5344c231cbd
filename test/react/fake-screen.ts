import { act } from '@testing-library/react'

/** A screen without a layout: a test says what is near it. */
export interface FakeScreen {
  observers: IntersectionObserverInit[]
  /** Elements that are watched. */
  watched: Set<Element>
  move: (element: Element, isNear: boolean) => void
}

/** Takes the place of the browser's IntersectionObserver; `vi.unstubAllGlobals()` ends it. */
export function fakeScreen(stub: (name: string, value: unknown) => void): FakeScreen {
  const screen: FakeScreen = { observers: [], watched: new Set(), move: () => {} }
  class FakeObserver implements IntersectionObserver {
    readonly root = null
    readonly rootMargin = ''
    readonly scrollMargin = ''
    readonly thresholds = [0]

    constructor(tell: IntersectionObserverCallback, init: IntersectionObserverInit) {
      screen.observers.push(init)
      screen.move = (target, isIntersecting) => {
        const entry = { target, isIntersecting } as IntersectionObserverEntry
        act(() => tell([entry], this))
      }
    }
    observe = (element: Element) => void screen.watched.add(element)
    unobserve = (element: Element) => void screen.watched.delete(element)
    disconnect = () => screen.watched.clear()
    takeRecords = () => []
  }
  stub('IntersectionObserver', FakeObserver)
  return screen
}
