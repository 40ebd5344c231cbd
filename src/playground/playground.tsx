import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { PagePreviewProvider } from '../react/index.js'
import { AnswerPanel } from './answer/answer-panel.js'
import { exchangeFacts } from './answer/exchange-facts.js'
import { readBody } from './answer/read-body.js'
import { CodePanel } from './code/code-panel.js'
import { QueryForm } from './form/query-form.js'
import { KeyDialog, usualProHost, type ServiceKey } from './key-dialog.js'
import { PreviewStage } from './stage/preview-stage.js'
import { createRecorder, type Exchange } from './state/create-recorder.js'
import { writeLink } from './state/playground-link.js'
import { usePlaygroundForm } from './state/use-playground-form.js'
import { useRunKeys } from './state/use-run-keys.js'
import { TopBar } from './top-bar.js'
import { ServiceProvider } from './use-service.js'

/** The form, the card it makes, the code to take along, and what the service answered; asks the own origin. */
export function Playground(): ReactNode {
  const [key, setKey] = useState<ServiceKey>()
  const [isKeyAsked, setIsKeyAsked] = useState(false)
  const [recorder] = useState(() => createRecorder())
  const [queryClient] = useState(createQueryClient)
  const { fetch } = recorder
  const recording = useSyncExternalStore(recorder.subscribe, recorder.recording)
  const { state, examples, form, draft, run, refusals, changeLook, start, startPage } = usePlaygroundForm()
  const side = useRef<HTMLDivElement>(null)

  const apiKey = key?.apiKey
  const [hosts, setHosts] = useState({ free: location.origin, pro: usualProHost(location.origin) })
  const { facts, picture } = readExchange(recording.exchange)

  useEffect(() => {
    // A new query is being asked for already; the same again is not.
    if (run) void queryClient.invalidateQueries(undefined, { cancelRefetch: false })
  }, [queryClient, run])

  function runAndShow() {
    start()
    const isBelow = (side.current?.getBoundingClientRect().top ?? 0) > innerHeight
    if (isBelow) side.current?.scrollIntoView()
  }
  useRunKeys(runAndShow)

  const query = draft.query ?? run?.query
  const { layout, theme } = state
  return (
    <QueryClientProvider client={queryClient}>
      <ServiceProvider value={{ hosts, apiKey, fetch }}>
        <PagePreviewProvider hosts={hosts} apiKey={apiKey} fetch={fetch}>
          <TopBar
            host={new URL(key ? hosts.pro : hosts.free).host}
            plan={facts?.plan ?? (key ? 'pro' : 'free')}
            isReachable={recording.exchange && recording.exchange.kind === 'answer'}
            hasKey={key !== undefined}
            onKey={() => (key ? setKey(undefined) : setIsKeyAsked(true))}
          />
          <main>
            <h1 className="unseen">Playground</h1>
            <QueryForm
              form={form}
              state={state}
              examples={examples}
              refusals={refusals}
              onLook={changeLook}
              onPage={startPage}
              onRun={runAndShow}
              link={() => new URL(`#${writeLink(state)}`, location.href).href}
            />
            <div className="side" ref={side}>
              <PreviewStage query={run?.query} state={state} onWidth={(width) => changeLook({ width })} />
              <div className="below">
                <CodePanel input={query && { query, layout, theme, hosts, hasKey: key !== undefined, picture }} />
                <AnswerPanel recording={recording} />
              </div>
            </div>
          </main>
          {isKeyAsked && (
            <KeyDialog
              onClose={() => setIsKeyAsked(false)}
              onKey={(key) => {
                setKey(key)
                setHosts({ ...hosts, pro: key.proHost })
                setIsKeyAsked(false)
                start()
              }}
            />
          )}
        </PagePreviewProvider>
      </ServiceProvider>
    </QueryClientProvider>
  )
}

/** Nothing is asked but by Run, and nothing is kept but what is shown: each run is one request. */
function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { gcTime: 0, refetchOnWindowFocus: false } } })
}

function readExchange(exchange: Exchange | undefined) {
  if (exchange?.kind !== 'answer') return {}
  const { headers, startedAt, text } = exchange
  return { facts: exchangeFacts(headers, startedAt), picture: readBody(text).picture }
}
