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
  class FakeObserver {
    constructor(tell: IntersectionObserverCallback, init: IntersectionObserverInit) {
      screen.observers.push(init)
      screen.move = (target, isIntersecting) => {
        const entry = { target, isIntersecting } as IntersectionObserverEntry
        act(() => tell([entry], this as unknown as IntersectionObserver))
      }
    }
    observe = (element: Element) => screen.watched.add(element)
    unobserve = (element: Element) => screen.watched.delete(element)
  }
  stub('IntersectionObserver', FakeObserver)
  return screen
}
