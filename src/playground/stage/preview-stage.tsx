import { useRef, type CSSProperties, type ReactNode } from 'react'
import type { PageQuery } from '../../query/index.js'
import { PagePreview, type Layout } from '../../react/index.js'
import { Segments } from '../form/segments.js'
import type { ColumnWidth, PlaygroundState, Theme } from '../state/playground-link.js'
import { ColumnGrip } from './column-grip.js'
import { HtmlCard } from './html-card.js'
import { useMeasuredWidth } from './use-measured-width.js'

interface PreviewStageProps {
  /** What was run; nothing yet, when there is no page to show. */
  query: PageQuery | undefined
  state: PlaygroundState
  onWidth: (width: ColumnWidth) => void
}

const WIDTHS = [
  [240, '240'],
  [402, '402'],
  [560, '560'],
  [720, '720'],
  ['fill', 'Fill'],
] as const satisfies readonly (readonly [ColumnWidth, string])[]

/** The card, alive, in a column as wide as the reader wants. */
export function PreviewStage({ query, state, onWidth }: PreviewStageProps): ReactNode {
  const { layout, theme, width } = state
  const box = useRef<HTMLDivElement>(null)
  const widthPx = useMeasuredWidth(box)
  return (
    <section className="panel" aria-label="Card">
      <div className="bar">
        <h2>Card</h2>
        <span className="word">{`layout="${layout}" · theme="${theme}"`}</span>
        <Segments<ColumnWidth> label="Column width" value={width} options={WIDTHS} onChange={onWidth} />
      </div>
      <div className="stage">
        <div
          ref={box}
          className="box"
          style={{ '--column': width === 'fill' ? '100%' : `${width}px` } as CSSProperties}
        >
          {query ? (
            <Shown query={query} layout={layout} theme={theme} />
          ) : (
            <p className="soft">Give the address of a page, and run it.</p>
          )}
          <ColumnGrip widthPx={widthPx} onWidth={onWidth} />
          <span className="px">{widthPx ? `${Math.round(widthPx)} px` : ''}</span>
        </div>
      </div>
    </section>
  )
}

interface ShownProps {
  query: PageQuery
  layout: Layout
  theme: Theme
}

function Shown({ query, layout, theme }: ShownProps): ReactNode {
  if (query.embed === 'html') return <HtmlCard query={query} />
  const preview = <PagePreview {...query} layout={layout} theme={theme} loading="eager" />
  return layout === 'inline' ? <p>A chip stands in a sentence, like {preview}, and goes on with it.</p> : preview
}
