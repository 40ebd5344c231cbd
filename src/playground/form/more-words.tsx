import { useState, type ReactNode } from 'react'
import { parameterHelp } from '../../query/help/index.js'
import { fields } from '../../query/index.js'
import { controlId, type FormHandle } from './form-handle.js'
import { MORE_GROUPS } from './more-groups.js'
import { Problem } from './problem.js'
import { WordControl } from './word-control.js'

/** The rest of the language: one control per word, by its type. */
export function MoreWords({ form }: { form: FormHandle }): ReactNode {
  const words = MORE_GROUPS.flatMap((group) => group.words)
  const [isOpen, setIsOpen] = useState(() => words.some((word) => isUsed(form, word)))
  const hasProblem = words.some((word) => form.problem(word) !== undefined)
  return (
    <details
      className="more"
      open={isOpen || hasProblem}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>Device, waiting, caching, headers</summary>
      {MORE_GROUPS.map(({ title, words }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          {words.map((word) => (
            <div key={word} className="field">
              {fields[word].type === 'switches' ? (
                <span className="name">{word}</span>
              ) : (
                <label htmlFor={controlId(word)}>{word}</label>
              )}
              <WordControl form={form} word={word} />
              <p className="hint wide" id={`${controlId(word)}-hint`}>
                {parameterHelp[word]}
                {word === 'headers' && ' Cookies and authorization stay out of links.'}
              </p>
              <Problem form={form} name={word} />
            </div>
          ))}
        </section>
      ))}
    </details>
  )
}

const isUsed = ({ words }: FormHandle, word: string) =>
  Object.keys(words).some((name) => name === word || name.startsWith(`${word}.`))
