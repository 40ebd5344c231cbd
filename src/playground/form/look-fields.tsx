import type { ReactNode } from 'react'
import type { Layout } from '../../react/index.js'
import { LAYOUTS, THEMES, type PlaygroundState, type Theme } from '../state/playground-link.js'
import { LayoutIcon } from './layout-icon.js'
import { Segments } from './segments.js'

interface LookFieldsProps {
  layout: Layout
  theme: Theme
  onChange: (change: Partial<PlaygroundState>) => void
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** How the card looks; none of it is asked of the service. */
export function LookFields({ layout, theme, onChange }: LookFieldsProps): ReactNode {
  return (
    <fieldset aria-labelledby="look-heading">
      <h2 id="look-heading">Look</h2>
      <div className="field">
        <span className="name">Theme</span>
        <Segments
          label="Theme"
          value={theme}
          options={THEMES.map((theme) => [theme, capitalized(theme)] as const)}
          onChange={(theme) => onChange({ theme })}
        />
      </div>
      <div className="field">
        <Segments
          label="Layout"
          className="pics wide"
          value={layout}
          options={LAYOUTS.map((layout) => {
            const content = (
              <>
                <LayoutIcon layout={layout} />
                {capitalized(layout)}
              </>
            )
            return [layout, content] as const
          })}
          onChange={(layout) => onChange({ layout })}
        />
      </div>
    </fieldset>
  )
}
