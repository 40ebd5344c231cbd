import { askService } from '../../../lib/ask-service'

export const GET = (request: Request) => askService(request)
