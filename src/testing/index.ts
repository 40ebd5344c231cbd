export { createFakeService } from './create-fake-service.js'
export type {
  FakePage,
  FakePages,
  FakeRequest,
  FakeResponse,
  FakeResponses,
  FakeService,
  FakeServiceOptions,
  PlaywrightRoute,
} from './create-fake-service.js'
