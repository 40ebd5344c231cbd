export { createFakeService } from './create-fake-service.js'
export type {
  FakePage,
  FakePages,
  FakeRequest,
  FakeResponse,
  FakeService,
  FakeServiceOptions,
  PlaywrightRoute,
} from './create-fake-service.js'
