import { basename, resolve } from 'node:path'
import { Visitor, type ESTree, type Plugin } from 'vite'

/**
 * What every query of the script says of itself, or none does: `page-preview-query-options.ts` and the script's QueryClient.
 * What would follow from anything else can be left out.
 */
export const SETTLED = {
  networkMode: 'always',
  retry: false,
  throwOnError: false,
  refetchOnMount: true,
  refetchIntervalInBackground: false,
  placeholderData: undefined,
  initialData: undefined,
  initialDataUpdatedAt: undefined,
  structuralSharing: undefined,
  suspense: undefined,
  persister: undefined,
  behavior: undefined,
  queryKeyHashFn: undefined,
  _optimisticResults: undefined,
  _type: undefined,
  exact: undefined,
  onSuccess: undefined,
  onSettled: undefined,
  onError: undefined,
  queryCache: undefined,
  mutationCache: undefined,
  initialPromise: undefined,
  meta: undefined,
  fetchMeta: null,
}

/** What follows for functions: a browser is no server, and what is not tried again is never paused. */
const RESULTS = {
  isServer: false,
  canFetch: true,
  canRun: true,
  canStart: true,
  isStatic: false,
  retryDelay: 0,
  getQueryDefaults: {},
}

/** States that no query of the script is in. */
const NEVER = new Set<unknown>(['static', 'infinite', 'paused', 'inactive', 'isRestoring', 'offlineFirst'])
const NO_ACTIONS = new Set<unknown>(['failed', 'pause', 'continue'])

/** Methods that neither we nor what is left of react-query calls; bundlers keep what a class has. */
const UNUSED = names(`
  fetchOptimistic getOptimisticResult trackResult trackProp getCurrentQuery isFetching isMutating setQueryData setQueriesData
  removeQueries resetQueries cancelQueries query clear reset resetState isStatic queryType infiniteQuery fetchInfiniteQuery
  prefetchInfiniteQuery ensureInfiniteQueryData ensureQueryData setDefaultOptions getQueryDefaults setQueryDefaults
  setMutationDefaults getMutationDefaults defaultMutationOptions resumePausedMutations cancelRetry continueRetry continueFn bindMethods
`)

/** The same for names that other things have too, so that a call of them cannot be told: file and method. */
const UNUSED_IN = new Set(['queryCache.find', 'queryClient.unmount', 'query.isStale', 'query.meta'])

/** What nobody reads of a result, of a query's state, and of what makes retries and batches. */
const UNREAD = names(`
  isPending isSuccess isError isInitialLoading isLoading failureCount failureReason isFetchedAfterMount isRefetching
  isLoadingError isPaused isPlaceholderData isRefetchError isEnabled fetchFailureCount fetchFailureReason retryDelay
  onFail onPause onContinue canRun canStart cancelRetry continueRetry batchCalls setNotifyFunction setBatchNotifyFunction
  setScheduler meta fetchMeta initialPromise isFetched refetch
`)

const SLIMMED =
  /\/query-core\/.*\/(query|queryCache|queryClient|queryObserver|retryer|removable|notifyManager|utils)\.js$/
const REPLACED = /\/(mutationCache|infiniteQueryBehavior|timeoutManager|focusManager|onlineManager)\.js$/

/**
 * Leaves out of react-query what the script has no use for: mutations, endless lists, retries, server rendering. The build
 * stops where something is called after all.
 */
export const slimReactQuery: Plugin = {
  name: 'slim-react-query',
  enforce: 'pre',
  resolveId: (id, importer = '') =>
    REPLACED.test(id) && SLIMMED.test(importer) ? resolve('src/embed/previews/slim-query-core.ts') : undefined,
  transform: {
    filter: { id: SLIMMED },
    handler(code, id) {
      return edited(code, editsOf(this.parse(code), code, basename(id, '.js')))
    },
  },
  generateBundle(_, files) {
    for (const file of Object.values(files))
      for (const [, name = ''] of file.type === 'chunk' ? file.code.matchAll(/\.(\w+)\(/g) : [])
        if (UNUSED.has(name)) this.error(`${file.fileName} calls ${name}: take it out of what is unused.`)
  },
}

interface Edit {
  start: number
  end: number
  text: string
}

function editsOf(program: ESTree.Program, code: string, file: string): Edit[] {
  const edits: Edit[] = []
  const targets = new Set<object>()
  const become = ({ start, end }: { start: number; end: number }, text: string) => void edits.push({ start, end, text })
  const source = (node: ESTree.Node | undefined) => code.slice(node?.start, node?.end)
  new Visitor({
    MethodDefinition(method) {
      const name = nameOf(method.key)
      if (UNUSED.has(name) || UNUSED_IN.has(`${file}.${name}`)) become(method, '')
    },
    ObjectExpression({ properties }) {
      for (const property of properties) {
        const name = property.type === 'Property' ? nameOf(property.key) : ''
        if (UNREAD.has(name)) become(property, '...{}')
      }
    },
    AssignmentExpression: ({ left }) => void targets.add(left),
    MemberExpression(member) {
      const name = nameOf(member.property)
      const isRead = !member.computed && member.object.type !== 'ThisExpression' && !targets.has(member)
      if (isRead && Object.hasOwn(SETTLED, name)) become(member, written(SETTLED[name as keyof typeof SETTLED]))
    },
    CallExpression(call) {
      const { callee } = call
      const name = nameOf(callee.type === 'MemberExpression' ? callee.property : callee)
      const [first] = call.arguments
      // A key of strings alone, and functions that only call what they are given.
      if (name === 'hashQueryKeyByOptions') become(call, `JSON.stringify(${source(first)})`)
      else if (name === 'notifyFn' || name === 'batchNotifyFn') become(call, `(${source(first)})()`)
      else if (Object.hasOwn(RESULTS, name)) become(call, written(RESULTS[name as keyof typeof RESULTS]))
      else if (UNUSED.has(name) || (name === 'notify' && tellsOfObserver(call))) become(call, 'void 0')
    },
    UnaryExpression(asked) {
      if (asked.operator === 'typeof' && nameOf(asked.argument) === 'window') become(asked, '"object"')
    },
    IfStatement(check) {
      // What is said to whoever writes an app.
      if (throwsSentence(check.consequent)) become(check, ';')
    },
    BinaryExpression(comparison) {
      const { operator, left, right } = comparison
      if (operator === 'in' && left.type === 'Literal' && left.value === 'Deno') become(comparison, 'false')
      if (right.type === 'Literal' && NEVER.has(right.value)) become(comparison, String(operator === '!=='))
    },
    SwitchCase(part) {
      if (part.test?.type === 'Literal' && NO_ACTIONS.has(part.test.value)) become(part, '')
    },
  }).visit(program)
  return edits
}

const tellsOfObserver = ({ arguments: [event] }: ESTree.CallExpression) =>
  event?.type === 'ObjectExpression' &&
  event.properties.some(
    (fact) =>
      fact.type === 'Property' && fact.value.type === 'Literal' && String(fact.value.value).startsWith('observer'),
  )

const throwsSentence = (statement: ESTree.Statement) =>
  statement.type === 'ThrowStatement' &&
  statement.argument.type === 'NewExpression' &&
  statement.argument.arguments[0]?.type === 'Literal'

const written = (value: unknown) => `(${JSON.stringify(value) ?? 'void 0'})`

const nameOf = (node: { type: string }) => ('name' in node && node.type === 'Identifier' ? String(node.name) : '')

/** What is inside of what is edited goes with it. */
function edited(code: string, edits: Edit[]): string {
  let text = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < at) continue
    text += code.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return text + code.slice(at)
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
