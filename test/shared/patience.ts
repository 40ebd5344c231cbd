import { configure } from '@testing-library/dom'

// What is loaded only when it is needed has to be brought by the test's own bundler first, on a machine that may be busy.
configure({ asyncUtilTimeout: 15_000 })
