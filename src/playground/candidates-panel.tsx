import type { ReactNode } from 'react'
import type { Choice, Choices } from './read-response.js'

interface CandidatesPanelProps {
  choices: Choices
  /** Called with the name of a parameter, and the id that it gets, or `''` for the best candidate. */
  onPick: (parameter: 'title.pick' | 'image.pick', id: string) => void
}

/** What the page states as its title, its image and its description; a click makes a title or an image the one of the result. */
export function CandidatesPanel({ choices, onPick }: CandidatesPanelProps): ReactNode {
  const { title, image, description } = choices
  return (
    <section className="panel candidates" aria-label="Candidates">
      <h2>Candidates</h2>
      <h3>Title</h3>
      <List choices={title} onPick={(id) => onPick('title.pick', id)} />
      <h3>Image</h3>
      <List choices={image} onPick={(id) => onPick('image.pick', id)} isImage />
      <h3>Description</h3>
      <List choices={description} />
    </section>
  )
}

interface ListProps {
  choices: readonly Choice[]
  onPick?: (id: string) => void
  isImage?: boolean
}

function List({ choices, onPick, isImage = false }: ListProps): ReactNode {
  if (!choices.length) return <p className="soft">The page states none.</p>
  return (
    <ul>
      {choices.map((choice, index) => (
        <li key={choice.id}>
          {onPick ? (
            <button
              type="button"
              aria-pressed={choice.isSelected}
              disabled={choice.problem !== undefined}
              // The best one needs no pick, and stays the best one if the page changes.
              onClick={() => onPick(index === 0 ? '' : choice.id)}
            >
              <Candidate choice={choice} isImage={isImage} />
            </button>
          ) : (
            <Candidate choice={choice} isImage={isImage} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Candidate({ choice, isImage }: { choice: Choice; isImage: boolean }): ReactNode {
  const { value, source, size, notes, problem } = choice
  return (
    <>
      {isImage && problem === undefined && (
        <img src={value} alt="" width={96} height={60} loading="lazy" referrerPolicy="no-referrer" />
      )}
      <span>
        <span className="value">{value}</span>
        <span className="soft">{[source, size, ...notes, problem].filter(Boolean).join(' · ')}</span>
      </span>
    </>
  )
}
