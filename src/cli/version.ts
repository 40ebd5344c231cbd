declare const __VERSION__: string

/** Version of this package, replaced at build time. */
export const version = __VERSION__
