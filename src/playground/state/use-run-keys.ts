import { useEffect, useRef } from 'react'

/** Runs on ⌘↵ and Ctrl ↵, wherever the reader is. */
export function useRunKeys(run: () => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isElsewhere = event.target instanceof Element && event.target.closest('dialog')
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || isElsewhere) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
