export default {
  // The repository has its own lockfile in a parent folder.
  turbopack: { root: import.meta.dirname },
}
