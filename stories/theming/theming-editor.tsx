import { useEffect, useId, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { PagePreview } from '../../src/react/index.js'
import { ferries, FERRIES_URL } from '../fixture-pages.js'
import { StoryService } from '../story-service.js'
import { contrastRatio } from './contrast-ratio.js'
import './theming-editor.css'
import { themingProperties } from './theming-properties.js'

type Values = Readonly<Record<string, string>>

/** Edits the custom properties of two cards in the light and the dark theme, and measures the contrast of their texts. */
export function ThemingEditor(): ReactNode {
  const [values, setValues] = useState<Values>({})
  const setValue = (name: string, value: string) => setValues((previous) => ({ ...previous, [name]: value }))
  const declarations = Object.entries(values).filter(([, value]) => value)
  return (
    <main className="theming">
      <form onReset={() => setValues({})}>
        {Object.entries(themingProperties).map(([group, properties]) => (
          <fieldset key={group}>
            <legend>{group}</legend>
            {Object.entries(properties).map(([name, example]) => (
              <PropertyField
                key={name}
                name={name}
                example={example}
                isColour={group === 'Colours'}
                value={values[name] ?? ''}
                onChange={(value) => setValue(name, value)}
              />
            ))}
          </fieldset>
        ))}
        <button type="reset">Reset</button>
      </form>
      <div className="theming-result">
        {(['light', 'dark'] as const).map((theme) => (
          <ThemePane key={theme} theme={theme} declarations={declarations} />
        ))}
        <pre aria-label="Your CSS" tabIndex={0}>
          {`.reading {\n${declarations.map(([name, value]) => `  ${name}: ${value};\n`).join('')}}`}
        </pre>
      </div>
    </main>
  )
}

interface PropertyFieldProps {
  name: string
  example: string
  isColour: boolean
  value: string
  onChange: (value: string) => void
}

/** The value as text, which may be any CSS, and for a colour the browser's own dialog beside it. */
function PropertyField({ name, example, isColour, value, onChange }: PropertyFieldProps): ReactNode {
  const id = useId()
  const isInvalid = value !== '' && isColour && !CSS.supports('color', value)
  return (
    <div className="theming-field">
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        value={value}
        placeholder={example}
        spellCheck={false}
        aria-invalid={isInvalid}
        onChange={({ target }) => onChange(target.value)}
      />
      {isColour && (
        <input
          type="color"
          aria-label={`Choose ${name}`}
          value={/^#[\da-f]{6}$/i.test(value) ? value : '#808080'}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  )
}

interface ThemePaneProps {
  theme: 'light' | 'dark'
  declarations: readonly (readonly [name: string, value: string])[]
}

function ThemePane({ theme, declarations }: ThemePaneProps): ReactNode {
  const pane = useRef<HTMLElement>(null)
  const style = Object.fromEntries(declarations) as CSSProperties
  const contrasts = useContrasts(pane)
  return (
    <section ref={pane} data-theme={theme} aria-label={theme}>
      <div className="theming-cards" style={style}>
        <StoryService responses={ferries}>
          <PagePreview url={FERRIES_URL} screenshot loading="eager" />
        </StoryService>
        <StoryService responses="ETIMEOUT">
          <PagePreview url={FERRIES_URL} screenshot layout="row" loading="eager" />
        </StoryService>
      </div>
      <ul>
        {contrasts.map(({ name, ratio }) => (
          <li key={name} data-low={ratio < LOWEST_CONTRAST || undefined}>
            {name} {ratio.toFixed(1)}:1{ratio < LOWEST_CONTRAST && ` – hard to read, below ${LOWEST_CONTRAST}:1`}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** For texts of this size: https://www.w3.org/TR/WCAG22/#contrast-minimum */
const LOWEST_CONTRAST = 4.5

const MEASURED = {
  Title: 'title',
  Description: 'description',
  Host: 'host',
  'Image details': 'image-details',
  Retry: 'retry',
}

interface Contrast {
  name: string
  ratio: number
}

/** Measures again whenever the properties or the cards change. */
function useContrasts(pane: { readonly current: HTMLElement | null }): readonly Contrast[] {
  const [contrasts, setContrasts] = useState<readonly Contrast[]>([])
  useEffect(() => {
    const cards = pane.current?.querySelector('.theming-cards')
    if (!cards) return undefined
    const measure = () =>
      setContrasts(
        Object.entries(MEASURED).flatMap(([name, part]) => {
          const element = cards.querySelector(`.pp-${part}`)
          return element ? [{ name, ratio: contrastRatio(element) }] : []
        }),
      )
    measure()
    const observer = new MutationObserver(measure)
    observer.observe(cards, { attributeFilter: ['style'], childList: true, subtree: true })
    return () => observer.disconnect()
  }, [pane])
  return contrasts
}
