import { PageError } from '../../query/index.js'

/** The status that nginx logs for a client that has closed the connection, and so does not receive it. */
const STATUS = 499

/** The error of a request whose client has disconnected; any other error unchanged. */
export const unlessClientLeft = (error: unknown, { aborted }: AbortSignal): unknown =>
  aborted
    ? new PageError('EABORTED', 'The client closed the connection before the response.', {
        status: STATUS,
        cause: error,
      })
    : error
