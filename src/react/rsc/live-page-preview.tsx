import type { ReactNode } from 'react'
import { previewRequest } from '../../card/index.js'
import { withoutApiKey } from '../../query/help/index.js'
import type { Endpoint } from '../../query/index.js'
import { splitProps, type PagePreviewProps as BrowserProps } from '../props.js'
import { fetchBeforeDeadline } from './fetch-before-deadline.js'
import { HydratedPreview } from './hydrated-preview.js'
import type { PagePreviewProps } from './page-preview.js'

/**
 * All props must be serialisable, except `apiKey`, `fetch` and `onError`, which stay on the server. A server component does not see
 * the defaults of a `PagePreviewProvider`: if they change the query, the browser requests its own result.
 */
export interface LivePagePreviewProps extends PagePreviewProps, Pick<BrowserProps, 'refreshInterval'> {
  /**
   * The service that browsers request. Default: `endpoint`; with an `apiKey`, which browsers never get, `/page-preview`.
   *
   * @example browserEndpoint: 'https://previews.example.com'
   */
  browserEndpoint?: Endpoint | undefined
}

/**
 * A `PagePreview` that is rendered on the server and kept fresh in the browser, which starts with the server's result. Without
 * a result within `timeLimit` the browser fetches it.
 */
export async function LivePagePreview({
  timeLimit,
  browserEndpoint,
  apiKey,
  fetch,
  locale,
  messages,
  onError,
  ...props
}: LivePagePreviewProps): Promise<ReactNode> {
  const { query, options } = splitProps(props, { locale })
  const { endpoint: serverEndpoint, data } = options
  const request = previewRequest(query, { endpoint: serverEndpoint, apiKey })
  const serverResult = data
    ? undefined
    : await fetchBeforeDeadline(request, {
        component: 'LivePagePreview',
        endpoint: serverEndpoint,
        fetch,
        timeLimit,
        onError,
      })
  const browserProps = { ...props, query: props.query && withoutApiKey(props.query) }
  const endpoint = browserEndpoint ?? (apiKey || request.apiKey ? undefined : serverEndpoint)
  return (
    <HydratedPreview
      {...browserProps}
      endpoint={endpoint}
      locale={locale}
      messages={messages}
      serverResult={serverResult}
      queryKey={previewRequest(splitProps(browserProps, { locale }).query, { endpoint }).queryKey}
    />
  )
}
