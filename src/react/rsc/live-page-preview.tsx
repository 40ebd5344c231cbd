import type { ReactNode } from 'react'
import type { Hosts } from '../../query/index.js'
import { previewRequest } from '../../card/index.js'
import { splitProps, type PagePreviewProps as BrowserProps } from '../page-preview-props.js'
import { askInTime } from './ask-in-time.js'
import { LivePreview } from './live-preview.js'
import type { PagePreviewProps } from './page-preview.js'

/** Whatever is given has to be fit for sending to browsers, but `apiKey`, `fetch` and `onError`, which stay on the server. */
export interface LivePagePreviewProps extends PagePreviewProps, Pick<BrowserProps, 'refreshInterval'> {
  /** Where browsers ask. Default: `hosts`, or with an `apiKey`, which browsers never get, `/page-preview`. */
  browserHosts?: Hosts | undefined
}

/**
 * A `PagePreview` made on the server and kept fresh in the browser, which begins with the server's answer. When the time is
 * over before there is one, the browser asks.
 */
export async function LivePagePreview(given: LivePagePreviewProps): Promise<ReactNode> {
  const { timeLimit, browserHosts, apiKey, fetch, onError, ...props } = given
  const { query, options } = splitProps(props)
  const { apiKey: queryKey, ...headers } = { apiKey: undefined, ...query.headers }
  const { hosts, data } = options
  const { json } = previewRequest(query, { hosts, apiKey })
  const told = data ? undefined : await askInTime(json, { hosts, apiKey, fetch, timeLimit, onError })
  const sent = { ...props, ...(query.headers && { headers }) }
  return <LivePreview {...sent} hosts={browserHosts ?? (apiKey || queryKey ? undefined : hosts)} told={told} />
}
