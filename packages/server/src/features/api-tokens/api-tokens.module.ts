import { feature } from '../feature.ts'
import { apiTokenRoutes } from './api-tokens.routes.ts'

export const apiTokens = feature({ name: 'api-tokens', routes: [apiTokenRoutes] })
