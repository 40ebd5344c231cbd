/** Loads a value on first use and keeps it. A failure is not kept: the next call tries again. */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return async () => {
    const current = (loading ??= load())
    try {
      return await current
    } catch (error) {
      if (loading === current) loading = undefined
      throw error
    }
  }
}
