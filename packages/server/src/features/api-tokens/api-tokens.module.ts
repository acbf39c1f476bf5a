import { feature } from '../feature.ts'
import { deleteApiTokensOf } from './api-tokens.repository.ts'
import { apiTokenRoutes } from './api-tokens.routes.ts'

export const apiTokens = feature({
  name: 'api-tokens',
  routes: [apiTokenRoutes],
  account: { accessRevoked: deleteApiTokensOf }
})
