/** Whether this is the built package. Node cannot load the TypeScript sources in a worker; there, tasks run in the main thread. */
export const isBuilt = import.meta.filename.endsWith('.js')
