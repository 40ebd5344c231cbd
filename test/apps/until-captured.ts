/**
 * Captures a page until it is in the cache. On a busy machine, the start of the service's browser takes most of the time that a first
 * request has, and apps wait for a capture no longer than people would.
 *
 * @param endpoint  URL of the service's free host.
 */
export async function untilCaptured(endpoint: string, url: string): Promise<void> {
  // By force, because the service remembers for minutes which pages took too long.
  const query = new URLSearchParams({ url, screenshot: 'true', force: 'true' })
  let status: number
  do ({ status } = await fetch(`${endpoint}?${query}`))
  while (status === 504)
  if (status !== 200) throw new Error(`The capture of ${url} failed with ${status}.`)
}
