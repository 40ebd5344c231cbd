import type { ReactNode } from 'react'
import { partClass, type PreviewView } from './preview-view.js'

/** The end of the footer: Retry, or the facts of the picture. */
export function PreviewEnd({ view }: { view: PreviewView }): ReactNode {
  const { canRetry, messages, onRetry, picture } = view
  if (canRetry)
    return (
      <button
        className={partClass(view, 'retry')}
        type="button"
        onClick={({ currentTarget }) => onRetry(currentTarget)}
      >
        {messages.retry}
      </button>
    )
  if (!picture?.facts.length) return null
  return (
    <span className={partClass(view, 'meta')} dir="ltr">
      {picture.facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </span>
  )
}
