import { useEffect, useState, type ReactNode } from 'react'

interface CopyButtonProps {
  text: () => string
  label?: string
  className?: string
}

const NEWS_MS = 1_600
const SIGNS = { Copied: '✓', 'Not copied': '✗' }
type News = keyof typeof SIGNS

/** Copies a text and says so, in a button that keeps its width. */
export function CopyButton({ text, label = 'Copy', className = 'btn' }: CopyButtonProps): ReactNode {
  const [news, setNews] = useState<News>()
  useEffect(() => {
    const timer = news && setTimeout(() => setNews(undefined), NEWS_MS)
    return () => clearTimeout(timer)
  }, [news])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text())
      setNews('Copied')
    } catch {
      // No permission, or a page that is not secure: the reader is told.
      setNews('Not copied')
    }
  }
  return (
    <button className={`${className} copy`} type="button" onClick={() => void copy()}>
      <span className="copy-label" data-covered={news ? '' : undefined}>
        {label}
      </span>
      <span className="copy-news" role="status">
        {news && (
          <>
            <span aria-hidden="true">{SIGNS[news]}</span>
            <span className="unseen">{news}</span>
          </>
        )}
      </span>
    </button>
  )
}
