/**
 * Captures variants of a page until one succeeds. On a busy machine, the start of the service's browser takes most of the time that a
 * first request has, and apps wait for a capture no longer than people would.
 *
 * @param endpoint  URL of the service's free host.
 */
export async function untilCaptured(endpoint: string, url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    // Another URL each time, because the service remembers for minutes which pages took too long.
    const query = new URLSearchParams({ url: `${url}?attempt=${attempt}`, screenshot: 'true' })
    const { status } = await fetch(`${endpoint}?${query}`)
    if (status === 200) return
    if (status !== 504) throw new Error(`The capture of ${url} failed with ${status}.`)
  }
}
