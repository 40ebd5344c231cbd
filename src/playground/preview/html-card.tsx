import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { requestUrl, type ParsedQuery } from '../../query/index.js'
import { useService } from '../service-context.js'

const TIMEOUT_MS = 30_000

/** The HTML card of the service (`embed=html`), in a frame without scripts. */
export function HtmlCard({ query }: { query: ParsedQuery }): ReactNode {
  const { endpoint, apiKey, fetch } = useService()
  const url = requestUrl(query, apiKey ? endpoint.pro : endpoint.free)
  const { data, error } = useQuery({
    queryKey: ['html-card', url],
    async queryFn({ signal }) {
      const headers = apiKey ? { 'x-api-key': apiKey } : undefined
      const response = await fetch(url, { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
      if (!response.ok) throw new Error(`The service returned no card: HTTP ${response.status}.`)
      return await response.text()
    },
    retry: false,
    networkMode: 'always',
  })
  if (error) return <p className="soft">{error.message} See the response for the reason.</p>
  return (
    <iframe
      className="frame"
      title={`Preview of ${query.query.url}`}
      sandbox="allow-popups allow-top-navigation-by-user-activation"
      srcDoc={data ?? ''}
    />
  )
}
