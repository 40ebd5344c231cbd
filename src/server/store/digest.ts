import { hash } from 'node:crypto'

/** Shortens text of any length to a fixed-size id, because database keys are limited in length. */
export const digest = (text: string): string => hash('sha256', text, 'base64url')
