import type { ReactNode } from 'react'
import type { ReceivedResponse } from './received-response.js'

/** Body, headers and redirects, complete. */
export function ResponseDetails({ response: { exchange, body } }: { response: ReceivedResponse }): ReactNode {
  const { redirects, text } = body
  return (
    <details className="details">
      <summary>JSON, headers and redirects</summary>
      <h3>Body</h3>
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <pre tabIndex={0} role="group" aria-label="Response body">
        {text}
      </pre>
      <h3>Headers</h3>
      <dl>
        {[...exchange.headers].map(([name, value]) => (
          <Row key={name} name={name} value={value} />
        ))}
      </dl>
      <h3>Redirects</h3>
      {redirects.length ? (
        <dl>
          {redirects.map(({ statusCode, url }, index) => (
            <Row key={index} name={String(statusCode)} value={url} />
          ))}
        </dl>
      ) : (
        <p className="soft">None.</p>
      )}
    </details>
  )
}

const Row = ({ name, value }: { name: string; value: string }): ReactNode => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
)
