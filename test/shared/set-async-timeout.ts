import { configure } from '@testing-library/dom'

// Vite transforms lazily imported modules on first use, which takes seconds on a machine under load.
configure({ asyncUtilTimeout: 15_000 })
