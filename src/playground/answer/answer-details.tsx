import type { ReactNode } from 'react'
import type { ReadExchange } from './answer-panel.js'

/** The answer as it came. */
export function AnswerDetails({ read: { exchange, body } }: { read: ReadExchange }): ReactNode {
  const { redirects, text } = body
  return (
    <details className="raw">
      <summary>JSON, headers and redirects</summary>
      <h3>Body</h3>
      {/* Long texts scroll, so the keyboard must reach them. */}
      <pre tabIndex={0} role="group" aria-label="Body of the answer">
        {text}
      </pre>
      <h3>Headers</h3>
      <dl className="facts">
        {[...exchange.headers].map(([name, value]) => (
          <Row key={name} name={name} value={value} />
        ))}
      </dl>
      <h3>Redirects</h3>
      {redirects.length ? (
        <dl className="facts">
          {redirects.map(({ statusCode, url }) => (
            <Row key={url} name={String(statusCode)} value={url} />
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
