interface ImportMetaEnv {
  /** The page to preview. */
  readonly VITE_TARGET: string
}
