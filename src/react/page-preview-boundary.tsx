'use client'

import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, Suspense, type ReactNode } from 'react'
import { isPageError, type PageError } from '../query/index.js'

export interface PagePreviewBoundaryProps {
  /** What uses `useSuspensePagePreview`. */
  children: ReactNode
  /** Shown until there is something to show, and when there never will be; a link to the page is a good one. Default: nothing. */
  fallback?: ReactNode
  /** Shown in the place of `fallback` after a failure. */
  failed?: ((failure: PagePreviewFailure) => ReactNode) | undefined
  /** A failure came through. */
  onError?: ((error: PageError) => void) | undefined
}

export interface PagePreviewFailure {
  error: PageError
  /** Asks again. */
  retry: () => void
}

/** Waits for the previews inside it, and catches their failures; every other error goes on to whom it belongs. */
export function PagePreviewBoundary({ children, ...props }: PagePreviewBoundaryProps): ReactNode {
  const { reset } = useQueryErrorResetBoundary()
  return (
    <FailureBoundary {...props} reset={reset}>
      <Suspense fallback={props.fallback}>{children}</Suspense>
    </FailureBoundary>
  )
}

interface FailureBoundaryProps extends PagePreviewBoundaryProps {
  reset: () => void
}

class FailureBoundary extends Component<FailureBoundaryProps, { error: unknown }> {
  static getDerivedStateFromError = (error: unknown) => ({ error })

  override state: { error: unknown } = { error: undefined }

  override componentDidCatch(error: unknown) {
    if (isPageError(error)) this.props.onError?.(error)
  }

  override render() {
    const { error } = this.state
    const { children, fallback, failed, reset } = this.props
    if (error === undefined) return children
    if (!isPageError(error)) throw error
    const retry = () => {
      reset()
      this.setState({ error: undefined })
    }
    return failed ? failed({ error, retry }) : fallback
  }
}
