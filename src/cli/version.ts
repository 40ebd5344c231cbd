declare const __VERSION__: string

/** Version of this package, put in by the build. */
export const version = __VERSION__
