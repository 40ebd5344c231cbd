import { expect } from 'vitest'
import type { JobProgress } from '../../src/server/batches/index.js'

/** A job of a service that may be killed meanwhile. */
export interface StartedJob {
  progress: () => Promise<JobProgress>
  /** The lines of its results so far. */
  results: () => Promise<{ sequence: number; number: number; status: string }[]>
}

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`

/**
 * @param proUrl  Of a pro host that runs.
 * @param job     `webhook`: its URL.
 */
export async function startJob(
  proUrl: () => string,
  key: string,
  { urls, webhook }: { urls: readonly string[]; webhook: string },
): Promise<StartedJob> {
  const request = (path: string, init?: RequestInit) =>
    fetch(proUrl() + path, { ...init, headers: { 'x-api-key': key } })
  const body = JSON.stringify({ urls, webhook: { url: webhook, secret: WEBHOOK_SECRET } })
  const readJob = async (response: Response) => ((await response.json()) as { data: JobProgress }).data
  let id: string | undefined
  // A machine that is busy may not reach its Redis in time.
  await expect
    .poll(async () => ({ id } = await readJob(await request('/jobs', { method: 'POST', body }))).id, {
      timeout: 30_000,
      interval: 2_000,
    })
    .toBeDefined()
  return {
    progress: async () => readJob(await request(`/jobs/${id}`)),
    async results() {
      const lines = (await (await request(`/jobs/${id}/results`)).text()).trim().split('\n')
      return lines.map((line) => JSON.parse(line) as { sequence: number; number: number; status: string })
    },
  }
}
