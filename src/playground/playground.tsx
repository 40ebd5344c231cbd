import type { ParsedQuery } from '../query/index.js'
import { PagePreviewProvider } from '../react/index.js'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { CandidatesPanel } from './candidates-panel.js'
import { CodePanel } from './code-panel.js'
import { createFetchRecorder, type Exchange } from './fetch-recorder.js'
import { HistoryPanel } from './history-panel.js'
import { defaultProEndpoint, KeyDialog, type ServiceKey } from './key-dialog.js'
import { writeLink } from './playground-link.js'
import { PreviewPanel } from './preview-panel.js'
import { QueryForm } from './query-form.js'
import { readBody, readHeaders } from './read-response.js'
import { ResponsePanel } from './response-panel.js'
import { ServiceProvider } from './service-context.js'
import { usePlaygroundForm, useRunShortcut } from './use-playground-form.js'

/** The query form, the resulting preview, code snippets, and the response; sends its requests to its own origin. */
export function Playground(): ReactNode {
  const [key, setKey] = useState<ServiceKey>()
  const [isKeyDialogOpen, setIsKeyDialogOpen] = useState(false)
  const [recorder] = useState(() => createFetchRecorder())
  const { fetch } = recorder
  const recording = useSyncExternalStore(recorder.subscribe, recorder.recording)
  const { state, examples, form, parsedForm, run, rejectedRuns, changeState, start, startPage, startWith } =
    usePlaygroundForm()
  const queryClient = useQueryClientOf(run, recording.exchange)
  const results = useRef<HTMLDivElement>(null)

  const apiKey = key?.apiKey
  const [endpoint, setEndpoint] = useState({ free: location.origin, pro: defaultProEndpoint(location.origin) })
  const { plan, imageSize, choices, history } = readExchange(recording.exchange)

  useEffect(() => {
    // A changed query is already being fetched; only an unchanged one has to be refetched.
    if (run) void queryClient.invalidateQueries(undefined, { cancelRefetch: false })
  }, [queryClient, run])

  function runAndScroll() {
    start()
    const preview = results.current?.firstElementChild
    const { top = 0, bottom = 0 } = preview?.getBoundingClientRect() ?? {}
    if (top > innerHeight || bottom < 0) preview?.scrollIntoView()
  }
  useRunShortcut(runAndScroll)

  function applyKey(key: ServiceKey) {
    setKey(key)
    setEndpoint({ ...endpoint, pro: key.proEndpoint })
    setIsKeyDialogOpen(false)
    start()
  }

  const query = parsedForm.query ?? run?.query
  const { layout, theme } = state
  const hasKey = key !== undefined
  return (
    <QueryClientProvider client={queryClient}>
      <ServiceProvider value={{ endpoint, apiKey, fetch }}>
        <PagePreviewProvider endpoint={endpoint} apiKey={apiKey} fetch={fetch}>
          <TopBar
            host={new URL(hasKey ? endpoint.pro : endpoint.free).host}
            plan={plan ?? (hasKey ? 'pro' : 'free')}
            isReachable={recording.exchange && recording.exchange.kind === 'response'}
            hasKey={hasKey}
            onKey={() => (hasKey ? setKey(undefined) : setIsKeyDialogOpen(true))}
          />
          <main>
            <h1 className="visually-hidden">Playground</h1>
            <QueryForm
              form={form}
              state={state}
              examples={examples}
              rejectedRuns={rejectedRuns}
              onStateChange={changeState}
              onPage={startPage}
              onRun={runAndScroll}
              link={() => new URL(`#${writeLink(state)}`, location.href).href}
            />
            <div className="results" ref={results}>
              <PreviewPanel query={run?.query} state={state} onWidth={(width) => changeState({ width })} />
              {choices && <CandidatesPanel choices={choices} onPick={startWith} />}
              {/* Another response starts with its newest version. */}
              {history !== undefined && <HistoryPanel key={recording.exchange?.startedAt} history={history} />}
              <div className="panels">
                <CodePanel
                  input={query && { query: withoutInspection(query), layout, theme, endpoint, hasKey, imageSize }}
                />
                <ResponsePanel recording={recording} />
              </div>
            </div>
          </main>
          {isKeyDialogOpen && <KeyDialog onClose={() => setIsKeyDialogOpen(false)} onKey={applyKey} />}
        </PagePreviewProvider>
      </ServiceProvider>
    </QueryClientProvider>
  )
}

/** Who has picked something needs no list of candidates in the code. */
const withoutInspection = (query: ParsedQuery): ParsedQuery =>
  query.query.title?.pick || query.query.image?.pick ? query.with({ candidates: undefined, explain: undefined }) : query

/** Every run sends exactly one request: results are not cached, and nothing refetches by itself. */
function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { gcTime: 0, refetchOnWindowFocus: false } } })
}

/** After 429 the previews of a client send nothing for a while. The next run has another one, because cached results still work. */
function useQueryClientOf(run: unknown, exchange: Exchange | undefined): QueryClient {
  const [current, setCurrent] = useState(() => ({ run, queryClient: createQueryClient() }))
  if (current.run === run) return current.queryClient
  const isLimited = exchange?.kind === 'response' && exchange.status === 429
  const next = { run, queryClient: isLimited ? createQueryClient() : current.queryClient }
  setCurrent(next)
  return next.queryClient
}

function readExchange(exchange: Exchange | undefined) {
  if (exchange?.kind !== 'response') return {}
  const { headers, startedAt, text } = exchange
  const { imageSize, choices, history } = readBody(text)
  return { plan: readHeaders(headers, startedAt).plan, imageSize, choices, history }
}

interface TopBarProps {
  /** `127.0.0.1:3000`. */
  host: string
  plan: string
  /** `undefined` before the first response. */
  isReachable: boolean | undefined
  hasKey: boolean
  /** Called to add a key, or to remove the current one. */
  onKey: () => void
}

const STATUS_COLOURS = { true: 'var(--good)', false: 'var(--bad)', undefined: 'var(--field)' }

/** Navigation, and the service in use. */
function TopBar({ host, plan, isReachable, hasKey, onKey }: TopBarProps): ReactNode {
  return (
    <header className="top">
      <a className="logo" href="./">
        <Logo />
        Page Preview
      </a>
      <nav aria-label="Main">
        <a href="./" aria-current="page">
          Playground
        </a>
        <a href="errors.html">Errors</a>
      </nav>
      <span className="host">
        <i className="dot" style={{ background: STATUS_COLOURS[`${isReachable}`] }} />
        <span>
          {host} · {plan}
        </span>
        <button className="btn small" type="button" onClick={onKey}>
          {hasKey ? 'Remove API key' : 'Use an API key'}
        </button>
      </span>
    </header>
  )
}

const Logo = (): ReactNode => (
  <svg width="28" height="28" viewBox="0 0 34 34" aria-hidden="true">
    <rect width="34" height="34" rx="9" fill="#4f46e5" />
    <rect x="7" y="7" width="20" height="12.5" rx="3" fill="#fff" />
    <rect x="7" y="22" width="14" height="2.5" rx="1.25" fill="#fff" />
    <rect x="7" y="26" width="9" height="2" rx="1" fill="#fff" opacity=".6" />
  </svg>
)
