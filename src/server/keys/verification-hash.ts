import { createHmac } from 'node:crypto'

const LABEL = 'page-preview API key'

/**
 * The hash by which the secret of an API key is recognised, hex. The label keeps it apart from the SHA-256 of the secret, which
 * signs requests: neither follows from the other.
 */
export const verificationHash = (secret: string): string => createHmac('sha256', LABEL).update(secret).digest('hex')
