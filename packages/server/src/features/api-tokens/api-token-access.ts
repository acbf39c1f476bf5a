export { deleteApiTokensOf } from './api-tokens.repository.ts'
