import { act } from '@testing-library/react'

/** A viewport without a layout: the test decides what is near it. */
export interface FakeViewport {
  /** The options of every IntersectionObserver created so far. */
  observers: IntersectionObserverInit[]
  observedElements: Set<Element>
  move: (element: Element, isNear: boolean) => void
}

/** Replaces the browser's IntersectionObserver, until `vi.unstubAllGlobals()`. */
export function fakeViewport(stub: (name: string, value: unknown) => void): FakeViewport {
  const viewport: FakeViewport = { observers: [], observedElements: new Set(), move: () => {} }
  class FakeObserver implements IntersectionObserver {
    readonly root = null
    readonly rootMargin = ''
    readonly scrollMargin = ''
    readonly thresholds = [0]

    constructor(callback: IntersectionObserverCallback, init: IntersectionObserverInit) {
      viewport.observers.push(init)
      viewport.move = (target, isIntersecting) => {
        const entry = { target, isIntersecting } as IntersectionObserverEntry
        act(() => callback([entry], this))
      }
    }
    observe = (element: Element) => void viewport.observedElements.add(element)
    unobserve = (element: Element) => void viewport.observedElements.delete(element)
    disconnect = () => viewport.observedElements.clear()
    takeRecords = () => []
  }
  stub('IntersectionObserver', FakeObserver)
  return viewport
}
