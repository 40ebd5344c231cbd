import { useCallback, useEffect, useState } from 'react'
import { readLink, writeLink, type PlaygroundState } from './playground-link.js'

// Browsers throttle frequent changes: https://developer.mozilla.org/en-US/docs/Web/API/History/replaceState#exceptions
const WRITE_DELAY_MS = 250

/**
 * The state of the playground, synchronised with the URL fragment.
 *
 * @param onNavigate  Called when the user navigates to another fragment.
 */
export function useUrlState(onNavigate: (state: PlaygroundState) => void) {
  const [state, setState] = useState(() => readLink(location.hash))

  useEffect(() => {
    const write = () => history.replaceState(history.state, '', `#${writeLink(state)}`)
    const timer = setTimeout(write, WRITE_DELAY_MS)
    addEventListener('pagehide', write)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', write)
    }
  }, [state])

  useEffect(() => {
    const onHashChange = () => {
      const next = readLink(location.hash)
      setState(next)
      onNavigate(next)
    }
    addEventListener('hashchange', onHashChange)
    return () => removeEventListener('hashchange', onHashChange)
  }, [onNavigate])

  const change = useCallback(
    (changes: Partial<PlaygroundState>) => setState((current) => ({ ...current, ...changes })),
    [],
  )
  return [state, change] as const
}
