export default {
  // There is another lockfile above.
  turbopack: { root: import.meta.dirname },
}
