import { hash } from 'node:crypto'

/** A key of any length and any characters as one that fits into every row. */
export const digest = (text: string): string => hash('sha256', text, 'base64url')
