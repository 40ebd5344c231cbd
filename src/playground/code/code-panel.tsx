import { createElement, useId, useState, type ReactNode } from 'react'
import { CopyButton } from '../copy-button.js'
import { codeText, type CodePart } from './code-part.js'
import { htmlCode } from './html-code.js'
import { reactCode } from './react-code.js'
import type { SampleInput } from './sample-input.js'
import { cliCode, curlCode } from './shell-code.js'

const SAMPLES: readonly (readonly [name: string, write: (input: SampleInput) => CodePart[]])[] = [
  ['React', reactCode],
  ['HTML', htmlCode],
  ['cURL', curlCode],
  ['CLI', cliCode],
]

/** What to write to get the same elsewhere. */
export function CodePanel({ input }: { input: SampleInput | undefined }): ReactNode {
  const group = useId()
  const [chosen, setChosen] = useState('React')
  const write = SAMPLES.find(([name]) => name === chosen)?.[1]
  const parts = input && write ? write(input) : []
  return (
    <section className="panel code" aria-label="Code">
      <div className="tabs" role="radiogroup" aria-label="Language of the code">
        {SAMPLES.map(([name]) => (
          <label key={name}>
            <input type="radio" name={group} checked={name === chosen} onChange={() => setChosen(name)} />
            {name}
          </label>
        ))}
        <CopyButton className="btn small" text={() => codeText(parts)} />
      </div>
      <Colored parts={parts} label={`${chosen} code`} />
    </section>
  )
}

/** Long lines scroll, so the keyboard must reach them. */
function Colored({ parts, label }: { parts: readonly CodePart[]; label: string }): ReactNode {
  const pieces = parts.map((part) => {
    if (typeof part === 'string') return part
    const [kind, text] = part
    return createElement('span', { className: `code-${kind}` }, text)
  })
  // As arguments the pieces need no keys, which they could only get from their places.
  return createElement('pre', { tabIndex: 0, role: 'group', 'aria-label': label }, ...pieces)
}
