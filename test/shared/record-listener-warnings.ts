import { setMaxListeners } from 'node:events'
import { onTestFinished, vi } from 'vitest'

/** As Node 22 limits the listeners of an `AbortSignal` by itself. Node 24 does not limit them, so it never warns. */
const MAX_LISTENERS = 10

/** Records the warnings of Node about too many listeners, on every supported version, until the test has finished. */
export function recordListenerWarnings(): string[] {
  const warnings: string[] = []
  const onWarning = ({ name, message }: Error) =>
    void (name === 'MaxListenersExceededWarning' && warnings.push(message))
  process.on('warning', onWarning)
  vi.stubGlobal(
    'AbortController',
    class extends AbortController {
      constructor() {
        super()
        setMaxListeners(MAX_LISTENERS, this.signal)
      }
    },
  )
  onTestFinished(() => {
    process.off('warning', onWarning)
    vi.unstubAllGlobals()
  })
  return warnings
}
