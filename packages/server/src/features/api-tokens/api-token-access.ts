export { deleteApiTokensOf } from './api-tokens.repository.ts'
export { issueToken } from './api-tokens.service.ts'
export { hashToken } from './token-format.policy.ts'
