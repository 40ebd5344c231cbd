'use client'

import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, Suspense, type ReactNode } from 'react'
import { isPageError, type PageError } from '../query/index.js'

export interface PagePreviewBoundaryProps {
  /**
   * Components that call `useSuspensePagePreview`.
   *
   * @example children: <Article url="https://example.com" />
   */
  children: ReactNode
  /**
   * Shown while they suspend, and after a failure; a link to the page is a good one. Default: nothing.
   *
   * @example fallback: <a href="https://example.com">Example</a>
   */
  fallback?: ReactNode
  /**
   * Shown after a failure. Default: the `fallback`.
   *
   * @example failed: ({ error, retry }) => <button onClick={retry}>{error.message}</button>
   */
  failed?: ((failure: PagePreviewFailure) => ReactNode) | undefined
  /**
   * Called when a preview inside has failed.
   *
   * @example onError: (error) => report(error.code)
   */
  onError?: ((error: PageError) => void) | undefined
}

export interface PagePreviewFailure {
  error: PageError
  /** Fetches again. */
  retry: () => void
}

/** Suspense and error boundary of the previews inside it. Errors other than `PageError` propagate to the next boundary. */
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
