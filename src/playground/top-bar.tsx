import type { ReactNode } from 'react'

interface TopBarProps {
  /** `127.0.0.1:3000`. */
  host: string
  plan: string
  /** `undefined` before the first response. */
  isReachable: boolean | undefined
  hasKey: boolean
  /** Called to add a key, or to remove the current one. */
  onKey: () => void
}

const STATUS_COLOURS = { true: 'var(--good)', false: 'var(--bad)', undefined: 'var(--field)' }

/** Navigation, and the service in use. */
export function TopBar({ host, plan, isReachable, hasKey, onKey }: TopBarProps): ReactNode {
  return (
    <header className="top">
      <a className="logo" href="./">
        <Logo />
        Page Preview
      </a>
      <nav aria-label="Main">
        <a href="./" aria-current="page">
          Playground
        </a>
        <a href="errors.html">Errors</a>
      </nav>
      <span className="host">
        <i className="dot" style={{ background: STATUS_COLOURS[`${isReachable}`] }} />
        <span>
          {host} · {plan}
        </span>
        <button className="btn small" type="button" onClick={onKey}>
          {hasKey ? 'Remove API key' : 'Use an API key'}
        </button>
      </span>
    </header>
  )
}

const Logo = (): ReactNode => (
  <svg width="28" height="28" viewBox="0 0 34 34" aria-hidden="true">
    <rect width="34" height="34" rx="9" fill="#4f46e5" />
    <rect x="7" y="7" width="20" height="12.5" rx="3" fill="#fff" />
    <rect x="7" y="22" width="14" height="2.5" rx="1.25" fill="#fff" />
    <rect x="7" y="26" width="9" height="2" rx="1" fill="#fff" opacity=".6" />
  </svg>
)
