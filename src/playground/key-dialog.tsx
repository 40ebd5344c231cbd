import { useEffect, useRef, useState, type ReactNode } from 'react'

/** A key of the pro host, and where that is. */
export interface ServiceKey {
  apiKey: string
  /** Without slash at the end. */
  proHost: string
}

interface KeyDialogProps {
  onKey: (key: ServiceKey) => void
  onClose: () => void
}

/** Asks for a key; it stays in the memory of this page. */
export function KeyDialog({ onKey, onClose }: KeyDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const [apiKey, setApiKey] = useState('')
  const [proHost, setProHost] = useState(() => usualProHost(location.origin))
  const isFit = apiKey.trim() !== '' && URL.canParse(proHost)

  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])

  return (
    <dialog ref={dialog} aria-labelledby="key-heading" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isFit) onKey({ apiKey: apiKey.trim(), proHost: proHost.replace(/\/+$/, '') })
        }}
      >
        <h2 id="key-heading">Use a key</h2>
        <p className="soft">It is sent to the pro host only, and forgotten when this page is closed or reloaded.</p>
        <label>
          Key
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
          <input className="mono" type="url" value={proHost} onChange={({ target }) => setProHost(target.value)} />
        </label>
        <div className="row">
          <button className="btn" type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button className="btn main" type="submit" disabled={!isFit}>
            Use this key
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** The port beside the free host's, as `serve` takes it by default; without a port both may share the name. */
export function usualProHost(origin: string): string {
  const url = new URL(origin)
  if (url.port) url.port = String(Number(url.port) + 1)
  return url.origin
}
