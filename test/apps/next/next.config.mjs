export default {
  // The repository has a lockfile of its own in a parent folder.
  turbopack: { root: import.meta.dirname },
}
