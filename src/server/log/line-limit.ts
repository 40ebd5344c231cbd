/** Allows a number of lines of each kind in a period of time, and counts the others. */
export interface LineLimit<Kind> {
  /** Whether a line may be written. */
  allows(kind: Kind): boolean
  /** Reports what was left out until now. */
  close(): void
}

export interface LineLimitOptions<Kind> {
  /** Lines of each kind in each window, which starts with the first of them. */
  maxLines: number
  windowMs: number
  /** Called at the end of a window in which lines were left out. */
  onLeftOut: (kind: Kind, count: number) => void
}

/** @typeParam Kind  Its values have to be few, because each has a window. */
export function createLineLimit<Kind>({ maxLines, windowMs, onLeftOut }: LineLimitOptions<Kind>): LineLimit<Kind> {
  const windows = new Map<Kind, { lines: number; timer: NodeJS.Timeout }>()
  const end = (kind: Kind) => {
    const window = windows.get(kind)
    if (!window) return
    clearTimeout(window.timer)
    windows.delete(kind)
    if (window.lines > maxLines) onLeftOut(kind, window.lines - maxLines)
  }
  const start = (kind: Kind) => {
    const window = { lines: 0, timer: setTimeout(() => end(kind), windowMs).unref() }
    windows.set(kind, window)
    return window
  }
  return {
    allows(kind) {
      const window = windows.get(kind) ?? start(kind)
      window.lines++
      return window.lines <= maxLines
    },
    close() {
      for (const kind of windows.keys()) end(kind)
    },
  }
}
