/**
 * Members of react-query, and of the components that preact knows, which nothing outside of the script calls or keeps, so that
 * they may have any name. What is kept in the browser's storage is not among them.
 */
const NAMES = `
  addObserver cancelRefetch clearGcTimeout createResult _defaulted defaultOptions defaultQueryOptions fetchQuery getCurrentResult
  getDefaultOptions getMutationCache getObserversCount getQueriesData getQueryCache getQueryData getQueryState hasListeners
  invalidateQueries isDisabled isStaleByTime notifyOnChangeProps onQueryUpdate onSubscribe onUnsubscribe optionalRemove
  prefetchQuery refetchInterval refetchOnReconnect refetchOnWindowFocus refetchQueries refetchType removeObserver scheduleGc
  shouldFetchOnReconnect shouldFetchOnWindowFocus updateGcTime updateResult refetchIntervalInBackground placeholderData
  refetchOnMount throwOnError retryOnMount observers listeners setOptions onOnline isFetching isFocused networkMode invalidate
  componentDidCatch componentDidMount componentDidUpdate componentWillMount componentWillReceiveProps componentWillUnmount
  componentWillUpdate getChildContext getDerivedStateFromError getDerivedStateFromProps getSnapshotBeforeUpdate
  shouldComponentUpdate debounceRendering dangerouslySetInnerHTML forceUpdate contextType`.match(/\w+/g)!

/**
 * Gives them short names, the same in all parts of the script, for a minifier cannot know that they are nobody else's.
 *
 * @throws  When one of them is in none of the parts: the table is of other editions.
 */
export function shortNames(parts: readonly string[]): string[] {
  const missing = NAMES.filter((name) => !new RegExp(`\\b${name}\\b`).test(parts.join()))
  if (missing.length) throw new Error(`not in the script, so not to be shortened: ${missing.join()}`)
  return parts.map((part) =>
    part.replace(new RegExp(`\\b(${NAMES.join('|')})\\b`, 'g'), (name) => `$${NAMES.indexOf(name).toString(36)}`),
  )
}
