import { useEffect, useRef } from 'react'

/** Calls `run` on ⌘↵ and Ctrl ↵ anywhere on the page, except in a dialog. */
export function useRunShortcut(run: () => void): void {
  const latestRun = useRef(run)
  useEffect(() => {
    latestRun.current = run
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isInDialog = event.target instanceof Element && event.target.closest('dialog')
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || isInDialog) return
      event.preventDefault()
      latestRun.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
