/** Sums up the layout shifts of the document, each as the browser scores it. */
export function observeLayoutShifts(): { total: () => number; stop: () => void } {
  let total = 0
  const add = (entries: PerformanceEntryList) => {
    for (const entry of entries) if ('value' in entry) total += Number(entry.value)
  }
  const observer = new PerformanceObserver((list) => add(list.getEntries()))
  observer.observe({ type: 'layout-shift' })
  return {
    total() {
      add(observer.takeRecords())
      return total
    },
    stop: () => observer.disconnect(),
  }
}

/** Resolves when the frames until now are painted. */
export async function painted(frameCount = 2): Promise<void> {
  for (let frame = 0; frame < frameCount; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
}
