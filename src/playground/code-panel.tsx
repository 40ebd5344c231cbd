import { createElement, type ReactNode, useId, useState } from 'react'
import { CopyButton } from './copy-button.js'
import {
  cliSnippet,
  codeText,
  type CodeToken,
  curlSnippet,
  htmlSnippet,
  reactSnippet,
  type SnippetInput,
} from './snippets.js'

const SNIPPETS: readonly (readonly [language: string, create: (input: SnippetInput) => CodeToken[]])[] = [
  ['React', reactSnippet],
  ['HTML', htmlSnippet],
  ['cURL', curlSnippet],
  ['CLI', cliSnippet],
]

/** Code that reproduces the preview elsewhere. */
export function CodePanel({ input }: { input: SnippetInput | undefined }): ReactNode {
  const group = useId()
  const [selected, setSelected] = useState('React')
  const createSnippet = SNIPPETS.find(([language]) => language === selected)?.[1]
  const tokens = input && createSnippet ? createSnippet(input) : []
  return (
    <section className="panel code" aria-label="Code">
      <div className="tabs" role="radiogroup" aria-label="Language of the code">
        {SNIPPETS.map(([language]) => (
          <label key={language}>
            <input type="radio" name={group} checked={language === selected} onChange={() => setSelected(language)} />
            {language}
          </label>
        ))}
        <CopyButton className="btn small" text={() => codeText(tokens)} />
      </div>
      <HighlightedCode tokens={tokens} label={`${selected} code`} />
    </section>
  )
}

/** Focusable, so that long lines can be scrolled by keyboard. */
function HighlightedCode({ tokens, label }: { tokens: readonly CodeToken[]; label: string }): ReactNode {
  const children = tokens.map((token) => {
    if (typeof token === 'string') return token
    const [kind, text] = token
    return createElement('span', { className: `code-${kind}` }, text)
  })
  // Passed as arguments, children need no keys; tokens have no identity but their position.
  return createElement('pre', { tabIndex: 0, role: 'group', 'aria-label': label }, ...children)
}
