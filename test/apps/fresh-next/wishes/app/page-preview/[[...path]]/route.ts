import { previews } from '../../../previews'

export const GET = previews
