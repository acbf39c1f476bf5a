import { feature } from '../feature.ts'
import { deleteApiTokensOf } from './api-tokens.repository.ts'
import { requireOwnToken } from './api-tokens.service.ts'
import { apiTokenRoutes } from './api-tokens.routes.ts'

export const apiTokens = feature({
  name: 'api-tokens',
  routes: [apiTokenRoutes],
  owners: { '/api/auth/tokens/:id': requireOwnToken },
  account: { accessRevoked: deleteApiTokensOf }
})
