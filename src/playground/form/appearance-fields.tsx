import type { ReactNode } from 'react'
import type { Layout } from '../../react/index.js'
import { LAYOUTS, THEMES, type PlaygroundState, type Theme } from '../state/playground-link.js'
import { LayoutIcon } from './layout-icon.js'
import { SegmentedControl } from './segmented-control.js'

interface AppearanceFieldsProps {
  layout: Layout
  theme: Theme
  onChange: (changes: Partial<PlaygroundState>) => void
}

/** Layout and theme of the card, which are props of the component and not part of the query. */
export function AppearanceFields({ layout, theme, onChange }: AppearanceFieldsProps): ReactNode {
  return (
    <fieldset aria-labelledby="appearance-heading">
      <h2 id="appearance-heading">Appearance</h2>
      <div className="field">
        <span className="name">Theme</span>
        <SegmentedControl
          label="Theme"
          value={theme}
          options={THEMES.map((theme) => [theme, capitalise(theme)] as const)}
          onChange={(theme) => onChange({ theme })}
        />
      </div>
      <div className="field">
        <SegmentedControl
          label="Layout"
          className="with-icons wide"
          value={layout}
          options={LAYOUTS.map((layout) => [layout, <LayoutOption key={layout} layout={layout} />] as const)}
          onChange={(layout) => onChange({ layout })}
        />
      </div>
    </fieldset>
  )
}

function LayoutOption({ layout }: { layout: Layout }): ReactNode {
  return (
    <>
      <LayoutIcon layout={layout} />
      {capitalise(layout)}
    </>
  )
}

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
