import { useCallback, useEffect, useState } from 'react'
import { readLink, writeLink, type PlaygroundState } from './playground-link.js'

// Browsers refuse an address that changes at every key press: https://developer.mozilla.org/en-US/docs/Web/API/History/replaceState#exceptions
const WRITE_PAUSE_MS = 250

/**
 * The state of the playground, kept in the address behind `#`.
 *
 * @param onArrive  Called when the reader goes to another such address.
 */
export function useLinkedState(onArrive: (state: PlaygroundState) => void) {
  const [state, setState] = useState(() => readLink(location.hash))

  useEffect(() => {
    const write = () => history.replaceState(history.state, '', `#${writeLink(state)}`)
    const timer = setTimeout(write, WRITE_PAUSE_MS)
    addEventListener('pagehide', write)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', write)
    }
  }, [state])

  useEffect(() => {
    const arrive = () => {
      const next = readLink(location.hash)
      setState(next)
      onArrive(next)
    }
    addEventListener('hashchange', arrive)
    return () => removeEventListener('hashchange', arrive)
  }, [onArrive])

  const change = useCallback((some: Partial<PlaygroundState>) => setState((before) => ({ ...before, ...some })), [])
  return [state, change] as const
}
