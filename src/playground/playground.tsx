import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { PagePreviewProvider } from '../react/index.js'
import { CodePanel } from './code/code-panel.js'
import { QueryForm } from './form/query-form.js'
import { defaultProEndpoint, KeyDialog, type ServiceKey } from './key-dialog.js'
import { PreviewPanel } from './preview/preview-panel.js'
import { readBody } from './response/read-body.js'
import { readHeaders } from './response/read-headers.js'
import { ResponsePanel } from './response/response-panel.js'
import { ServiceProvider } from './service-context.js'
import { createFetchRecorder, type Exchange } from './state/create-fetch-recorder.js'
import { writeLink } from './state/playground-link.js'
import { usePlaygroundForm } from './state/use-playground-form.js'
import { useRunShortcut } from './state/use-run-shortcut.js'
import { TopBar } from './top-bar.js'

/** The query form, the resulting preview, code snippets, and the response; sends its requests to its own origin. */
export function Playground(): ReactNode {
  const [key, setKey] = useState<ServiceKey>()
  const [isKeyDialogOpen, setIsKeyDialogOpen] = useState(false)
  const [recorder] = useState(() => createFetchRecorder())
  const [queryClient] = useState(createQueryClient)
  const { fetch } = recorder
  const recording = useSyncExternalStore(recorder.subscribe, recorder.recording)
  const { state, examples, form, parsedForm, run, rejectedRuns, changeState, start, startPage } = usePlaygroundForm()
  const results = useRef<HTMLDivElement>(null)

  const apiKey = key?.apiKey
  const [endpoint, setEndpoint] = useState({ free: location.origin, pro: defaultProEndpoint(location.origin) })
  const { plan, imageSize } = readExchange(recording.exchange)

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
              <div className="panels">
                <CodePanel input={query && { query, layout, theme, endpoint, hasKey, imageSize }} />
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

/** Every run sends exactly one request: results are not cached, and nothing refetches by itself. */
function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { gcTime: 0, refetchOnWindowFocus: false } } })
}

function readExchange(exchange: Exchange | undefined) {
  if (exchange?.kind !== 'response') return {}
  const { headers, startedAt, text } = exchange
  return { plan: readHeaders(headers, startedAt).plan, imageSize: readBody(text).imageSize }
}
