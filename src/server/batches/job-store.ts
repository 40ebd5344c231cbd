/** A batch: pages that are captured with the same parameters, on behalf of an API key. */
export interface NewJob {
  id: string
  /** The id of the API key that it belongs to. */
  keyId: string
  /** URL of the pro host as the request had it, without trailing slash. */
  base: string
  /** The parameters of every page in canonical form, without `url`. */
  parameters: Readonly<Record<string, unknown>>
  webhook: { url: string; encryptedSecret: string } | undefined
  /** Milliseconds since 1970. */
  createdAt: number
}

/** What became of the message to the webhook of a finished job. */
export type WebhookState = 'pending' | 'delivered' | 'failed'

/** A job with its progress. */
export interface Job extends NewJob {
  /** Pages of the job; each is a URL in its list. */
  total: number
  /** Pages with a result. */
  done: number
  /** Pages with an error. */
  failed: number
  /** Pages that are captured right now. */
  running: number
  /** Milliseconds since 1970; `undefined` until the last page is done or has failed. */
  finishedAt: number | undefined
  /** Milliseconds since 1970: then the job is forgotten, with its results. */
  expiresAt: number
  /** `undefined` without a webhook. */
  webhookState: WebhookState | undefined
}

/** One page of a job. */
export interface JobPage {
  /** Its place in the list of the job, from 0. */
  number: number
  /** As it was listed; it may be invalid. */
  url: string
  /** How many times the page was started, this time included; see `countsAsAttempt`. A page that was aborted was not started. */
  attempts: number
}

/** How the work on a page ended. */
export type PageOutcome =
  /** `result`: one JSON object without line breaks. */
  | { status: 'done' | 'failed'; result: string }
  /** The page is started again after that many milliseconds, and until then no other page of the job, unless it was an attempt. */
  | { status: 'later'; afterMs: number; countsAsAttempt: boolean }

/** How the work on a webhook ended. */
export type WebhookOutcome = { status: 'delivered' | 'failed' } | { status: 'later'; afterMs: number }

/** What is done for the jobs of a store. */
export interface JobWork {
  /** Pages that are captured at the same time by this process. */
  concurrency: number
  /** Whether another page may start now, because no other work needs its place. */
  mayStart(): boolean
  /**
   * Captures one page. Never rejects, except when `signal` aborts; then the page is started again, here or by another process.
   */
  capturePage(job: Job, page: JobPage, signal: AbortSignal): Promise<PageOutcome>
  /**
   * Tells the webhook of a job that it is finished. Never rejects, except when `signal` aborts.
   *
   * @param attempts  How many times it was called, this time included.
   */
  callWebhook(job: Job, attempts: number, signal: AbortSignal): Promise<WebhookOutcome>
}

/**
 * The jobs, their pages and results, and who works on which page. They survive the end of the process, however it ends. A page that was
 * running then is started again; a page that has a result is not.
 *
 * Methods reject with a `PageError` `EBUSY` while a remote store is unreachable.
 */
export interface JobStore {
  /** Stores a job; its pages may start before this resolves. */
  addJob(job: NewJob, urls: readonly string[]): Promise<void>
  readJob(id: string): Promise<Job | undefined>
  /**
   * Results in the order in which their pages ended, which never changes.
   *
   * @param after  How many results to leave out.
   * @returns      At most 100, each as it was given in `PageOutcome`.
   */
  readResults(id: string, after: number): Promise<string[]>
  /** Forgets a job with its results; pages that are running are aborted. @returns Whether there was one. */
  deleteJob(id: string): Promise<boolean>
  /** What is stored for an API key, finished or not. */
  countJobs(keyId: string): Promise<{ jobs: number; pages: number }>
  /** Pages of all jobs and processes that have no result yet, those that are captured right now included. */
  countUnfinishedPages(): Promise<number>
  /** Starts working on jobs; called once. */
  start(work: JobWork): void
  /** Stops working, and returns pages that are running to their jobs. */
  close(): Promise<void>
}

export const RESULTS_PER_READ = 100
/** How long the results of a finished job are kept. */
export const RESULTS_TTL_MS = 7 * 86_400_000
/** How long a job may take. */
export const UNFINISHED_TTL_MS = 31 * 86_400_000
/** How long a job may take to be stored. One that is not complete after it is removed. */
export const INCOMPLETE_TTL_MS = 600_000
/** Webhooks that are called at the same time by one process. */
export const MAX_WEBHOOKS = 4
/** How soon a page is started after others have left it room. */
export const ROOM_CHECK_MS = 100
/** A page that was started so many times, and every time with the end of its process, has failed. */
export const MAX_ATTEMPTS = 3
