import { type ReactNode, useEffect, useState } from 'react'

interface CopyButtonProps {
  text: () => string
  label?: string
  className?: string
}

const STATUS_MS = 1_600
const STATUS_ICONS = { Copied: '✓', 'Copy failed': '✗' }
type CopyStatus = keyof typeof STATUS_ICONS

/** Copies a text and shows briefly whether it worked, without changing its width. */
export function CopyButton({ text, label = 'Copy', className = 'btn' }: CopyButtonProps): ReactNode {
  const [status, setStatus] = useState<CopyStatus>()
  useEffect(() => {
    const timer = status && setTimeout(() => setStatus(undefined), STATUS_MS)
    return () => clearTimeout(timer)
  }, [status])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text())
      setStatus('Copied')
    } catch {
      // Without permission, or on a page without TLS, the clipboard is not available.
      setStatus('Copy failed')
    }
  }
  return (
    <button className={`${className} copy`} type="button" onClick={() => void copy()}>
      <span className="copy-label" data-hidden={status ? '' : undefined}>
        {label}
      </span>
      <span className="copy-status" role="status">
        {status && (
          <>
            <span aria-hidden="true">{STATUS_ICONS[status]}</span>
            <span className="visually-hidden">{status}</span>
          </>
        )}
      </span>
    </button>
  )
}
