import { useEffect, useState, type RefObject } from 'react'

/** Current width of an element in CSS pixels; `undefined` before it is laid out. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const [widthPx, setWidthPx] = useState<number>()
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidthPx(entry?.contentRect.width))
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return widthPx
}
