import { PageError } from '../../query/index.js'

/** What nginx reports for a client that has closed the connection; nobody receives it. */
const STATUS = 499

/** The error of a request whose client has left; any other error as it is. */
export const unlessClientLeft = (error: unknown, { aborted }: AbortSignal): unknown =>
  aborted
    ? new PageError('EABORTED', 'The client closed the connection before the response.', {
        status: STATUS,
        cause: error,
      })
    : error
