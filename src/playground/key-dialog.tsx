import { canParseUrl } from '../query/written-url.js'
import { type ReactNode, useEffect, useRef, useState } from 'react'

/** An API key, and the pro host that it is sent to. */
export interface ServiceKey {
  apiKey: string
  /** The URL of the pro host, without a trailing slash. */
  proEndpoint: string
}

interface KeyDialogProps {
  onKey: (key: ServiceKey) => void
  onClose: () => void
}

/** Prompts for an API key, which is held in memory only. */
export function KeyDialog({ onKey, onClose }: KeyDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const [apiKey, setApiKey] = useState('')
  const [proEndpoint, setProEndpoint] = useState(() => defaultProEndpoint(location.origin))
  const isValid = apiKey.trim() !== '' && /^https?:\/\//i.test(proEndpoint) && canParseUrl(proEndpoint)

  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      aria-labelledby="key-heading"
      onClose={() => {
        // In strict mode, React closes and opens it again before the event of closing arrives.
        if (!dialog.current?.open) onClose()
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid) onKey({ apiKey: apiKey.trim(), proEndpoint: proEndpoint.replace(/(?<!\/)\/+$/, '') })
        }}
      >
        <h2 id="key-heading">Use an API key</h2>
        <p className="soft">It is sent to the pro host only, and never stored: reloading this page removes it.</p>
        <label>
          API key
          <input
            className="mono"
            type="password"
            autoComplete="off"
            placeholder="pp_…"
            value={apiKey}
            onChange={({ target }) => setApiKey(target.value)}
          />
        </label>
        <label>
          Pro host
          <input
            className="mono"
            type="url"
            value={proEndpoint}
            onChange={({ target }) => setProEndpoint(target.value)}
          />
        </label>
        <div className="buttons">
          <button className="btn" type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button className="btn main" type="submit" disabled={!isValid}>
            Use this key
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** By default `serve` uses the next port for the pro host; an origin without port may serve both. */
export function defaultProEndpoint(origin: string): string {
  const url = new URL(origin)
  if (url.port) url.port = String(Number(url.port) + 1)
  return url.origin
}
